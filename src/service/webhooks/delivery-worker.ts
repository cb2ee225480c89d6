import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import packageFile from '../../../package.json' with { type: 'json' };
import { signWebhook } from '../../webhooks/signature.ts';
import type { Database } from '../db/database.ts';
import { type ClaimedBatch, claimDeliveries, type DeliveryTarget } from '../db/deliveries/delivery-claims.ts';
import {
  type ClaimedDelivery,
  readQueues,
  releaseDeliveries,
  type WebhookQueue,
} from '../db/deliveries/delivery-queue.ts';
import { sealedColumns, toPurpose } from '../db/sealed-columns.ts';
import type { Environment } from '../domain/context.ts';
import { deliveryTimeoutMs } from '../domain/limits.ts';
import type { Secrets } from '../secrets/secrets.ts';
import {
  type AddressedDelivery,
  cancelPending,
  type FinishedAttempt,
  isSuccess,
  recordAttempt,
} from './attempts.ts';
import { type AttemptOutcome, createDeliverySlots, type DeliverySlot } from './delivery-slots.ts';
import type { AddressRules } from './webhook-address.ts';
import { createWebhookSender, type WebhookResponse, type WebhookSender } from './webhook-sender.ts';

export interface DeliveryWorkerOptions extends AddressRules {
  readonly database: Database;
  readonly environment: Environment;
  readonly secrets: Secrets;
  readonly log: {
    warn(members: object, message: string): void;
    error(members: object, message: string): void;
  };
  /** Time limit for the response head. */
  readonly timeoutMs?: number;
  /** Time limit for the rest of the response. */
  readonly readMs?: number;
  /** How long `close` waits for attempts in flight. */
  readonly graceMs?: number;
}

/** Longer than an attempt and its recording, so that a lease expires only if its process died or was suspended. */
export const leaseMs = deliveryTimeoutMs + 5000;
const defaultGraceMs = 1000;

/**
 * Creates the worker that delivers events together with the workers of other processes on the database. The holder
 * of a delivery's lease makes the attempt and records it while the lease lasts. So each event is delivered at least
 * once, and more than once only if a process dies between the response and its recording.
 */
export function createDeliveryWorker(options: DeliveryWorkerOptions) {
  const { database, environment, log, timeoutMs = deliveryTimeoutMs, graceMs = defaultGraceMs } = options;
  const sender = createWebhookSender({ ...options, timeoutMs });
  const abort = new AbortController();
  const runner = createAttemptRunner({ ...options, sender, signal: abort.signal });
  const slots = createDeliverySlots();
  const inFlight = new Set<Promise<unknown>>();
  let isClosing = false;
  let isRequested = false;
  let starting: Promise<number | undefined> | undefined;

  /** Starts the deliveries that are due, as far as slots are free. Returns when the next one is due, if any is. */
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
    const attempt: Promise<unknown> = makeAttempt(addressed, slot)
      .catch((error: unknown) => {
        // The lease expires, and the delivery is attempted again.
        log.error({ err: error, delivery: addressed.delivery.id }, 'delivery not recorded');
      })
      .finally(() => inFlight.delete(attempt));
    inFlight.add(attempt);
  }

  async function makeAttempt(addressed: AddressedDelivery, slot: DeliverySlot): Promise<void> {
    let outcome: AttemptOutcome | undefined;
    try {
      const finished = await runner.send(addressed);
      const isSlow = finished !== undefined && finished.endedMs - finished.startedMs > slowMs;
      outcome = finished && { isDelivered: isSuccess(finished.response), isSlow };
      await runner.record(addressed, finished);
    } finally {
      slot.release(outcome);
    }
    await startDue().catch((error: unknown) => log.error({ err: error }, 'deliveries not started'));
  }

  return {
    startDue,
    /** Delivers everything that is due, and what becomes due meanwhile. */
    async deliverAllDue(): Promise<void> {
      await startDue();
      while (inFlight.size > 0) {
        await Promise.race(inFlight);
        await startDue();
      }
    },
    /** Starts no more attempts, waits briefly for those in flight, and releases the rest. */
    async close(): Promise<void> {
      isClosing = true;
      await starting?.catch(() => undefined);
      const timer = setTimeout(() => abort.abort(), graceMs);
      await Promise.all(inFlight);
      clearTimeout(timer);
      await sender.close();
    },
  };
}

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;

/** A slower attempt occupies its slot so long that it delays others. */
const slowMs = 2000;

interface AttemptRunnerOptions extends DeliveryWorkerOptions {
  readonly sender: WebhookSender;
  /** Aborts the attempts in flight. */
  readonly signal: AbortSignal;
}

const userAgent = `salon/${packageFile.version}`;
const recordRetryMs = 250;

/** Sends claimed deliveries and records the attempts. */
function createAttemptRunner(options: AttemptRunnerOptions) {
  const { database, environment, secrets, log, sender, signal } = options;
  let retrying = 0;

  async function retryUntilLeaseExpires<Result>(
    delivery: ClaimedDelivery,
    write: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await write();
    } catch (error) {
      if (signal.aborted || environment.now().getTime() >= delivery.leasedUntilMs) throw error;
    }
    retrying += 1;
    try {
      await delay(recordRetryMs, undefined, { signal }).catch(() => undefined);
      return await retryUntilLeaseExpires(delivery, write);
    } finally {
      retrying -= 1;
    }
  }

  async function post({ target, delivery }: AddressedDelivery, nowMs: number): Promise<WebhookResponse> {
    let signing: readonly string[];
    try {
      signing = openSecrets(secrets, target, nowMs);
    } catch (error) {
      log.error({ err: error, webhook: target.id, delivery: delivery.id }, 'webhook secret not readable');
      return { failure: 'The service cannot read the secret of the webhook.' };
    }
    const { url } = JSON.parse(target.record) as { url: string };
    const { eventId, body } = delivery;
    const signature = signWebhook({ id: eventId, timestamp: new Date(nowMs), body }, signing);
    const headers = { 'content-type': 'application/json', 'user-agent': userAgent, ...signature };
    return sender.post({ url, headers, body }, signal);
  }

  return {
    /** Makes an attempt; undefined if it was aborted and its result is unknown. */
    async send({ target, delivery }: AddressedDelivery) {
      const startedMs = environment.now().getTime();
      const response = await post({ target, delivery }, startedMs);
      if ('failure' in response && signal.aborted) return undefined;
      return { target, delivery, response, startedMs, endedMs: environment.now().getTime() };
    },
    /** Records an attempt, retrying database errors until the lease expires. Releases an aborted delivery. */
    async record({ target, delivery }: AddressedDelivery, finished: FinishedAttempt | undefined) {
      if (finished === undefined) {
        await database.transaction('rows', (tx) => releaseDeliveries(tx, [delivery]));
        return;
      }
      const reason = await retryUntilLeaseExpires(delivery, () =>
        recordAttempt({ database, environment }, finished),
      );
      if (reason === undefined) return;
      log.warn({ webhook: target.id, account: target.account_id, reason }, 'webhook disabled');
      while (!signal.aborted && (await cancelPending({ database, environment }, target)));
    },
    /** Whether an attempt could not be recorded yet. */
    isBehind: () => retrying > 0,
  };
}

/** The current secret and, until it expires, the previous one. */
function openSecrets(
  secrets: Secrets,
  { id, secret, former_secret, former_secret_until_ms }: DeliveryTarget,
  nowMs: number,
): string[] {
  const isValid = former_secret !== null && (former_secret_until_ms ?? 0) > nowMs;
  const sealed = isValid ? [secret, former_secret] : [secret];
  return sealed.map((text) => secrets.open(text, toPurpose(sealedColumns.webhookSecret, id)));
}
