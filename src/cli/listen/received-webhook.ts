import type { SalonEvent } from '../../contract/events.ts';

/** A verified webhook: received on the port, or read from the service's delivery log. */
export interface ReceivedWebhook {
  readonly source: 'delivered' | 'fetched';
  readonly receivedAt: Date;
  /** Undefined if neither headers nor body contain one; duplicates cannot be detected then. */
  readonly id: string | undefined;
  readonly type: string;
  readonly signedAt: Date | undefined;
  /** Headers to forward: all but hop-by-hop headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text as received; verified to be UTF-8. */
  readonly body: string;
  readonly event: SalonEvent;
}

const hopByHopHeaders = new Set([
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

/** The headers of a webhook to forward. */
export function toForwardedHeaders(headers: Iterable<readonly [string, string]>): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => !hopByHopHeaders.has(name) && !name.startsWith('proxy-')),
  );
}
