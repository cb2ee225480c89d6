import { setImmediate as nextTurn } from 'node:timers/promises';
import { deliveryTimeoutMs } from '../../contract/delivery.ts';
import type { Database } from '../db/database.ts';
import { type ClaimedBatch, claimDeliveries, readQueues, type WebhookQueue } from '../db/delivery-queue.ts';
import type { Environment } from '../domain/context.ts';
import { type DeliveryAttemptResult, isSuccess } from './attempts.ts';
import { type AddressedDelivery, createDeliveryAttempts, type DeliveryLog } from './deliver.ts';
import { type AttemptOutcome, createDeliverySlots } from './delivery-slots.ts';
import type { AddressRules } from './webhook-address.ts';
import { createWebhookSender } from './webhook-sender.ts';

export interface DeliveryWorkerParts extends AddressRules {
  readonly database: Database;
  readonly environment: Environment;
  readonly log: DeliveryLog;
  /** How long a receiver may take. */
  readonly timeoutMs?: number;
  /** How long the rest of its answer may take. */
  readonly readMs?: number;
  /** How long deliveries under way are waited for while closing. */
  readonly graceMs?: number;
}

export interface DeliveryWorker {
  /** Begins what is due, as far as there is room, and answers when something is due next; undefined for never. */
  begin(): Promise<number | undefined>;
  /** Delivers what is due, and what falls due meanwhile, until nothing is left to be tried now. */
  deliverDue(): Promise<void>;
  /** Begins nothing more, waits a little for what is under way, and gives the rest back. */
  close(): Promise<void>;
}

/** More than a try and its record take, so that a lease runs out only where its process is gone or stood still. */
export const leaseMs = deliveryTimeoutMs + 5000;
const usualGraceMs = 1000;

/**
 * Makes what carries deliveries to their receivers, together with every other process on the database: whoever
 * holds the lease of a delivery tries it, and records what came of it as long as the lease is its own. So each is
 * delivered at least once, and more often only where a process was lost between the answer and its record.
 */
export function createDeliveryWorker(parts: DeliveryWorkerParts): DeliveryWorker {
  const { database, environment, log, timeoutMs = deliveryTimeoutMs, graceMs = usualGraceMs } = parts;
  const postman = createWebhookSender({ ...parts, timeoutMs });
  const stopping = new AbortController();
  const { send, record, isBehind } = createDeliveryAttempts({ ...parts, postman, signal: stopping.signal });
  const lanes = createDeliverySlots();
  const underWay = new Set<Promise<unknown>>();
  let isClosing = false;
  let isWanted = false;
  let beginning: Promise<number | undefined> | undefined;

  function begin(): Promise<number | undefined> {
    isWanted = true;
    beginning ??= beginWhileWanted().finally(() => {
      beginning = undefined;
    });
    return beginning;
  }

  async function beginWhileWanted(): Promise<number | undefined> {
    let nextMs: number | undefined;
    while (isWanted) {
      // Those that end in one turn of the event loop are replaced together.
      await nextTurn();
      isWanted = false;
      nextMs = await beginDue();
    }
    return nextMs;
  }

  async function beginDue(): Promise<number | undefined> {
    if (isClosing) return undefined;
    const nowMs = environment.now().getTime();
    // What was tried comes first: begun meanwhile, it could be tried once more before that is known.
    if (isBehind()) return nowMs;
    const queues = await readQueues(database.reader);
    const due = queues.filter(({ nextMs }) => nextMs <= nowMs);
    for (const { target: receiver, deliveries } of await claim(due)) {
      for (const delivery of deliveries) carry({ receiver, delivery });
    }
    return queues.length === 0 ? undefined : Math.min(...queues.map(({ nextMs }) => nextMs));
  }

  async function claim(due: readonly WebhookQueue[]): Promise<ClaimedBatch[]> {
    const turns = lanes.share(due.map(({ webhookId }) => webhookId));
    if (turns.length === 0) return [];
    return database.transaction(async (tx) => {
      const claims: ClaimedBatch[] = [];
      // Looked at here: the way to the database may have been long, and a lease is not to be over as it begins.
      const nowMs = environment.now().getTime();
      for (const turn of turns) {
        const claimed = await claimDeliveries(tx, { ...turn, nowMs, leasedUntilMs: nowMs + leaseMs });
        if (claimed !== undefined) claims.push(claimed);
      }
      return claims;
    });
  }

  function carry(addressed: AddressedDelivery): void {
    const lane = lanes.enter(addressed.receiver.id);
    const carried: Promise<unknown> = send(addressed)
      .then(
        (made) => {
          lane.leave(toOutcome(made));
          // Asked for first: the next claim comes in time to share the commit of this record.
          return Promise.all([beginOrSay(), record(addressed, made)]);
        },
        (error: unknown) => {
          lane.leave(undefined);
          throw error;
        },
      )
      .catch((error: unknown) => {
        // A lease that is not ended runs out, and the delivery is tried again then.
        log.error({ err: error, delivery: addressed.delivery.id }, 'delivery not recorded');
      })
      .finally(() => underWay.delete(carried));
    underWay.add(carried);
  }

  function beginOrSay(): Promise<unknown> {
    return begin().catch((error: unknown) => log.error({ err: error }, 'deliveries not begun'));
  }

  async function deliverDue(): Promise<void> {
    await begin();
    while (underWay.size > 0) {
      await Promise.race(underWay);
      await begin();
    }
  }

  async function close(): Promise<void> {
    isClosing = true;
    await beginning?.catch(() => undefined);
    const timer = setTimeout(() => stopping.abort(), graceMs);
    await Promise.all(underWay);
    clearTimeout(timer);
    await postman.close();
  }

  return { begin, deliverDue, close };
}

/** An answer that takes longer holds its lane for so long that others would wait for it. */
const quickMs = 2000;

function toOutcome(made: DeliveryAttemptResult | undefined): AttemptOutcome | undefined {
  if (made === undefined) return undefined;
  return { isDelivered: isSuccess(made.reply), isSlow: made.endedMs - made.startedMs > quickMs };
}
