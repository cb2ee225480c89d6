import {
  maskPersonalBody,
  maskPersonalHeaders,
  maskPersonalReason,
  maskPersonalUrl,
} from '../../contract/mask-personal.ts';
import type { EventMask } from './request-log.ts';

/** Hides personal data. */
export const personalMask: EventMask = {
  url: maskPersonalUrl,
  headers: maskPersonalHeaders,
  body: maskPersonalBody,
  reason: maskPersonalReason,
};

/** Shows everything but keys, with --no-mask. */
export const noMask: EventMask = {
  url: (url) => url,
  headers: (headers) => headers,
  body: (text) => text,
  reason: (text) => text,
};
