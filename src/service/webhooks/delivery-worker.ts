import { setImmediate as nextTurn } from 'node:timers/promises';
import { deliveryTimeoutMs } from '../../contract/delivery.ts';
import type { Database } from '../db/database.ts';
import { type ClaimedBatch, claimDeliveries } from '../db/delivery-claims.ts';
import { readQueues, type WebhookQueue } from '../db/delivery-queue.ts';
import type { Environment } from '../domain/context.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { createAttemptRunner, type DeliveryLogger } from './attempt-runner.ts';
import { type AddressedDelivery, type FinishedAttempt, isSuccess } from './attempts.ts';
import { type AttemptOutcome, createDeliverySlots } from './delivery-slots.ts';
import type { AddressRules } from './webhook-address.ts';
import { createWebhookSender } from './webhook-sender.ts';

export interface DeliveryWorkerOptions extends AddressRules {
  readonly database: Database;
  readonly environment: Environment;
  readonly secrets: Secrets;
  readonly log: DeliveryLogger;
  /** Time limit for the response head. */
  readonly timeoutMs?: number;
  /** Time limit for the rest of the response. */
  readonly readMs?: number;
  /** How long `close` waits for attempts in flight. */
  readonly graceMs?: number;
}

export interface DeliveryWorker {
  /** Starts the deliveries that are due, as far as slots are free. Returns when the next one is due, if any is. */
  startDue(): Promise<number | undefined>;
  /** Delivers everything that is due, and what becomes due meanwhile. */
  deliverAllDue(): Promise<void>;
  /** Starts no more attempts, waits briefly for those in flight, and releases the rest. */
  close(): Promise<void>;
}

/** Longer than an attempt and its recording, so that a lease expires only if its process died or was suspended. */
export const leaseMs = deliveryTimeoutMs + 5000;
const defaultGraceMs = 1000;

/**
 * Creates the worker that delivers events together with the workers of other processes on the database. The holder
 * of a delivery's lease makes the attempt and records it while the lease lasts. So each event is delivered at least
 * once, and more than once only if a process dies between the response and its recording.
 */
export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { database, environment, log, timeoutMs = deliveryTimeoutMs, graceMs = defaultGraceMs } = options;
  const sender = createWebhookSender({ ...options, timeoutMs });
  const abort = new AbortController();
  const runner = createAttemptRunner({ ...options, sender, signal: abort.signal });
  const slots = createDeliverySlots();
  const inFlight = new Set<Promise<unknown>>();
  let isClosing = false;
  let isRequested = false;
  let starting: Promise<number | undefined> | undefined;

  function startDue(): Promise<number | undefined> {
    isRequested = true;
    starting ??= startWhileRequested().finally(() => {
      starting = undefined;
    });
    return starting;
  }

  async function startWhileRequested(): Promise<number | undefined> {
    let nextMs: number | undefined;
    while (isRequested) {
      // Attempts that end in the same turn of the event loop are replaced by one claim.
      await nextTurn();
      isRequested = false;
      nextMs = await claimAndStart();
    }
    return nextMs;
  }

  async function claimAndStart(): Promise<number | undefined> {
    if (isClosing) return undefined;
    const nowMs = environment.now().getTime();
    // A delivery whose attempt is not recorded yet could be claimed and sent again.
    if (runner.isBehind()) return nowMs;
    const queues = await readQueues(database.reader);
    for (const { target, deliveries } of await claim(queues.filter(({ nextMs }) => nextMs <= nowMs))) {
      for (const delivery of deliveries) start({ target, delivery });
    }
    return queues.length === 0 ? undefined : Math.min(...queues.map(({ nextMs }) => nextMs));
  }

  async function claim(due: readonly WebhookQueue[]): Promise<ClaimedBatch[]> {
    const allocations = slots.allocate(due);
    if (allocations.length === 0) return [];
    return database.transaction('rows', async (tx) => {
      const batches: ClaimedBatch[] = [];
      // Read inside the transaction, which may have waited: a lease must not expire before it starts.
      const nowMs = environment.now().getTime();
      for (const allocation of allocations) {
        const request = { ...allocation, nowMs, leasedUntilMs: nowMs + leaseMs };
        const batch = await claimDeliveries(tx, database.kind, request);
        if (batch !== undefined) batches.push(batch);
      }
      return batches;
    });
  }

  function start(addressed: AddressedDelivery): void {
    const slot = slots.take(addressed.delivery);
    const attempt: Promise<unknown> = runner
      .send(addressed)
      .then(
        (finished) => {
          slot.release(toOutcome(finished));
          // Claiming first lets the claim share a commit with this record.
          return Promise.all([startOrLog(), runner.record(addressed, finished)]);
        },
        (error: unknown) => {
          slot.release(undefined);
          throw error;
        },
      )
      .catch((error: unknown) => {
        // The lease expires, and the delivery is attempted again.
        log.error({ err: error, delivery: addressed.delivery.id }, 'delivery not recorded');
      })
      .finally(() => inFlight.delete(attempt));
    inFlight.add(attempt);
  }

  function startOrLog(): Promise<unknown> {
    return startDue().catch((error: unknown) => log.error({ err: error }, 'deliveries not started'));
  }

  async function deliverAllDue(): Promise<void> {
    await startDue();
    while (inFlight.size > 0) {
      await Promise.race(inFlight);
      await startDue();
    }
  }

  async function close(): Promise<void> {
    isClosing = true;
    await starting?.catch(() => undefined);
    const timer = setTimeout(() => abort.abort(), graceMs);
    await Promise.all(inFlight);
    clearTimeout(timer);
    await sender.close();
  }

  return { startDue, deliverAllDue, close };
}

/** A slower attempt occupies its slot so long that it delays others. */
const slowMs = 2000;

function toOutcome(finished: FinishedAttempt | undefined): AttemptOutcome | undefined {
  if (finished === undefined) return undefined;
  const { response, startedMs, endedMs } = finished;
  return { isDelivered: isSuccess(response), isSlow: endedMs - startedMs > slowMs };
}
