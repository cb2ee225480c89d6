import { type EventPattern, matchesEvent, type SalonEvent } from '../../contract/events.ts';
import { toInstantMs } from '../../time/time.ts';
import { signWebhook } from '../../webhooks/signature.ts';
import { verifyDelivery } from '../../webhooks/verify.ts';
import { emptyGapLedger, GapLedger } from './gap-ledger.ts';
import type { Registration } from './registration.ts';
import { createQueueFullError, type IncomingRequest } from './webhook-server.ts';

export interface EventIntakeOptions {
  readonly events: readonly EventPattern[];
  /** The URL the sender uses, which some schemes sign too. */
  readonly url: () => string;
  readonly now: () => Date;
  readonly say: (text: string) => void;
}

/** What requests are verified with. */
interface Verification {
  readonly secrets: readonly string[];
  readonly seen: GapLedger;
  readonly registration: Registration | undefined;
}

/** Verifies incoming events, from the port and from the delivery log, and queues them in one order. */
export type EventIntake = ReturnType<typeof createEventIntake>;

export function createEventIntake({ events, url, now, say }: EventIntakeOptions) {
  const buffer = createEventBuffer<ReceivedWebhook>();
  const started = Promise.withResolvers<Verification>();
  /** The service still retries events that have been fetched from its log. */
  const fetched = new Set<string>();
  let duplicates = 0;
  return {
    /** Verifies and queues a request, once started. Throws `webhook_refused` and `service_unavailable`. */
    async receive({ headers, body }: IncomingRequest): Promise<void> {
      const { secrets, seen } = await started.promise;
      const receivedAt = now();
      const verified = verifyDelivery({ headers, body, secret: secrets }, { now: receivedAt, url: url() });
      const { id, signedAt, event } = verified;
      if (!matchesEvent(events, event.type)) return;
      if (id !== undefined && !seen.markReceived(id, toInstantMs(event.timestamp) ?? receivedAt.getTime())) {
        if (fetched.delete(id)) return;
        duplicates += 1;
        say(`Dropped a duplicate: ${event.type} ${id}`);
        return;
      }
      const webhook: ReceivedWebhook = {
        source: 'delivered',
        ...{ receivedAt, id, type: event.type, signedAt, event },
        headers: Object.fromEntries([...headers].filter(([name]) => !hopByHopHeaders.test(name))),
        body: body.toString('utf8'),
      };
      if (buffer.offer(webhook, body.length)) return;
      if (id !== undefined) seen.forget(id);
      throw createQueueFullError();
    },
    /**
     * Queues events from the endpoint's log that never arrived, as far as there is room. Returns their count, and
     * whether more remain.
     */
    async fetchMissed(registration: Registration, untilMs: number) {
      const { secrets, seen, registration: own } = await started.promise;
      let count = 0;
      let reachedMs: number | undefined;
      for await (const delivery of registration.readMissed(untilMs)) {
        const createdMs = Date.parse(delivery.created_at);
        const { event_id: id, event } = delivery;
        // An event that was erased with its client is null.
        if (event === null || !matchesEvent(events, event.type) || !seen.markReceived(id, createdMs))
          continue;
        const receivedAt = now();
        const body = JSON.stringify(event);
        // Signed again, since the log has no signatures.
        const signature = signWebhook({ id, timestamp: receivedAt, body }, secrets);
        const headers = { 'content-type': 'application/json', ...signature };
        const facts = { receivedAt, id, type: event.type, signedAt: receivedAt, headers, body, event };
        if (!buffer.offer({ source: 'fetched', ...facts }, body.length)) {
          seen.forget(id);
          reachedMs = createdMs;
          break;
        }
        fetched.add(id);
        count += 1;
      }
      // The state of a previous listener is kept until its missed events are processed and it is removed.
      if (registration === own) {
        registration.ledger.moveOn(reachedMs ?? untilMs, now().getTime());
        registration.saveSoon();
      }
      return { count, hasMore: reachedMs !== undefined };
    },
    /** Starts verifying; earlier requests have waited. */
    start(secrets: readonly string[], registration: Registration | undefined): void {
      const seen = registration?.ledger ?? new GapLedger(emptyGapLedger(now().getTime()));
      started.resolve({ secrets, registration, seen });
    },
    /** The queued events, until closed. To be read once. */
    events: buffer.items,
    /** Marks an event as processed. */
    async acknowledge({ id }: ReceivedWebhook): Promise<void> {
      const { seen, registration } = await started.promise;
      if (id !== undefined) seen.markProcessed(id, now().getTime());
      registration?.saveSoon();
    },
    /** Ends after the queued events; with an error, ends at once by throwing it. */
    close: buffer.close,
    get pending() {
      return buffer.length;
    },
    get duplicates() {
      return duplicates;
    },
  };
}

const maxBytes = 64 * 1_048_576;
const maxItems = 10_000;

/** Creates a stream of what waits to be processed, with room for 64 MiB, and for 10,000 items. */
export function createEventBuffer<Item>() {
  let length = 0;
  let isClosed = false;
  let controller: ReadableStreamDefaultController<{ item: Item; size: number }> | undefined;
  const stream = new ReadableStream(
    {
      start: (given: NonNullable<typeof controller>) => {
        controller = given;
      },
    },
    { highWaterMark: maxBytes, size: ({ size }) => size },
  );
  return {
    /** Returns false if there is no room. */
    offer(item: Item, bytes: number) {
      const size = Math.max(bytes, maxBytes / maxItems);
      if (isClosed || (controller?.desiredSize ?? 0) < size) return false;
      length += 1;
      controller?.enqueue({ item, size });
      return true;
    },
    /** Held and future items, until closed and empty. To be read once. */
    async *items() {
      try {
        for await (const { item } of stream) {
          length -= 1;
          yield item;
        }
      } finally {
        isClosed = true;
      }
    },
    /** Accepts nothing more. With an error, held items are dropped and the error is thrown. */
    close(error?: unknown) {
      if (error !== undefined) controller?.error(error);
      else if (!isClosed) controller?.close();
      isClosed = true;
    },
    get length() {
      return length;
    },
  };
}

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

const hopByHopHeaders =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|upgrade|expect|te|trailer|proxy-.*)$/;
