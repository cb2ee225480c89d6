import type { SalonEvent } from '../../contract/events.ts';

/** A webhook that can be believed: it came and was verified, or it was read from the service's log. */
export interface ReceivedWebhook {
  readonly source: 'delivered' | 'fetched';
  readonly receivedAt: Date;
  /** Undefined where neither headers nor body have one: then nothing tells a repeat. */
  readonly id: string | undefined;
  readonly type: string;
  readonly signedAt: Date | undefined;
  /** What it is handed on with: all headers it came with but those of the one connection. */
  readonly headers: Readonly<Record<string, string>>;
  /** The very text that came. Its bytes are UTF-8, or it would not have been believed. */
  readonly body: string;
  readonly event: SalonEvent;
}

const ofOneConnection = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);

/** The headers of a webhook that go on with it to whoever it is handed on to. */
export function toForwardedHeaders(headers: Iterable<readonly [string, string]>): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => !ofOneConnection.has(name) && !name.startsWith('proxy-')),
  );
}
