import type { ClientEvent } from '../../client/events.ts';
import {
  maskPersonalBody,
  maskPersonalHeaders,
  maskPersonalReason,
  maskPersonalUrl,
} from '../../text/mask-personal.ts';

export type RequestEvent = Extract<ClientEvent, { readonly type: 'request' | 'response' | 'failure' }>;

export type HttpHeaders = Readonly<Record<string, string>>;

/** Turns events into what may be shown. Keys are masked in any case. */
export type EventMask = typeof personalMask;

/** Longest body in the log, in characters. */
const shownLength = 10_240;

/** A request, response or failure as --debug shows it: a line, then indented headers and body. */
export function renderEvent(event: RequestEvent, { mask, now }: { mask: EventMask; now: Date }): string {
  const request = `${event.method} ${mask.url(event.url)}`;
  const at = `#${event.number}, ${now.toISOString().slice(11, 23)}`;
  if (event.type === 'failure') {
    return `✗ ${request} (${at}, ${renderTimes(event)}): ${mask.reason(event.reason)}`;
  }
  const headers = event.headers();
  const shown = Object.entries(mask.headers(headers)).map(([name, value]) => `\n    ${name}: ${value}`);
  const details = shown.join('') + renderBody(event, { mask, type: typeOf(headers) });
  if (event.type === 'request') return `→ ${request} (${at})${details}`;
  return `← ${event.status} ${request} (${at}, ${event.bodyBytes} bytes, ${renderTimes(event)})${details}`;
}

/** The content type of a request or response. */
export function typeOf(headers: HttpHeaders): string {
  return headers['content-type'] ?? '';
}

function renderBody(
  event: Exclude<RequestEvent, { readonly type: 'failure' }>,
  { mask, type }: { mask: EventMask; type: string },
): string {
  const body = event.body();
  if (body === undefined || body === '') return '';
  const text = mask.body(body, { type, isError: event.type === 'response' && event.status >= 400 });
  const lines = text.slice(0, shownLength).trimEnd().replaceAll(/^/gm, '    ');
  const rest = text.length - shownLength;
  return `\n\n${lines}${rest > 0 ? `\n    (${rest} more characters; --trace saves them)` : ''}`;
}

/** `45 ms: DNS 1, connect 3, TLS 12, first byte 25, body 4` */
function renderTimes({ tookMs, timings }: Exclude<RequestEvent, { readonly type: 'request' }>): string {
  const total = `${Math.round(tookMs)} ms`;
  if (timings === undefined) return total;
  const phases = [
    ['waited', timings.blockedMs >= 1 ? timings.blockedMs : undefined],
    ['DNS', timings.dnsMs],
    ['connect', timings.connectMs],
    ['TLS', timings.tlsMs],
    ['first byte', timings.waitMs],
    ['body', timings.receiveMs],
  ] as const;
  const known = phases.flatMap(([name, ms]) =>
    ms === undefined ? [] : [`${name} ${ms.toFixed(ms < 10 ? 1 : 0)}`],
  );
  return known.length === 0 ? total : `${total}: ${known.join(', ')}`;
}

/** `isMasked`: the flag --mask, undefined where it is not given. */
export function chooseMask(isMasked: boolean | undefined): EventMask {
  return isMasked === false ? noMask : personalMask;
}

/** Hides personal data. */
const personalMask = {
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
