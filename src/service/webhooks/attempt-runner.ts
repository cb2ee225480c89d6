import { setTimeout as delay } from 'node:timers/promises';
import packageFile from '../../../package.json' with { type: 'json' };
import { signWebhook } from '../../webhooks/signature.ts';
import type { Database } from '../db/database.ts';
import { type ClaimedDelivery, type DeliveryTarget, releaseDeliveries } from '../db/delivery-queue.ts';
import type { Environment } from '../domain/context.ts';
import { type AddressedDelivery, cancelPending, type FinishedAttempt, recordAttempt } from './attempts.ts';
import type { WebhookRequest, WebhookSender } from './webhook-sender.ts';

/** The part of the service's log that delivery uses. */
export interface DeliveryLogger {
  warn(members: object, message: string): void;
  error(members: object, message: string): void;
}

interface AttemptRunnerOptions {
  readonly database: Database;
  readonly environment: Environment;
  readonly log: DeliveryLogger;
  readonly sender: WebhookSender;
  /** Aborts the attempts in flight. */
  readonly signal: AbortSignal;
}

/** Sends claimed deliveries and records the attempts. */
interface AttemptRunner {
  /** Makes an attempt; undefined if it was aborted and its result is unknown. */
  send(addressed: AddressedDelivery): Promise<FinishedAttempt | undefined>;
  /** Records an attempt, retrying database errors until the lease expires. Releases an aborted delivery. */
  record(addressed: AddressedDelivery, finished: FinishedAttempt | undefined): Promise<void>;
  /** Whether an attempt could not be recorded yet. */
  isBehind(): boolean;
}

const userAgent = `salon/${packageFile.version}`;
const recordRetryMs = 250;

export function createAttemptRunner(options: AttemptRunnerOptions): AttemptRunner {
  const { database, environment, log, sender, signal } = options;
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

  return {
    async send({ target, delivery }) {
      const startedMs = environment.now().getTime();
      const response = await sender.post(toSignedRequest({ target, delivery }, startedMs), signal);
      if ('failure' in response && signal.aborted) return undefined;
      return { target, delivery, response, startedMs, endedMs: environment.now().getTime() };
    },
    async record({ target, delivery }, finished) {
      if (finished === undefined) {
        await database.transaction((tx) => releaseDeliveries(tx, [delivery]));
        return;
      }
      const reason = await retryUntilLeaseExpires(delivery, () =>
        recordAttempt({ database, environment }, finished),
      );
      if (reason === undefined) return;
      log.warn({ webhook: target.id, account: target.account_id, reason }, 'webhook disabled');
      while (!signal.aborted && (await cancelPending({ database, environment }, target)));
    },
    isBehind: () => retrying > 0,
  };
}

function toSignedRequest({ target, delivery }: AddressedDelivery, nowMs: number): WebhookRequest {
  const { url } = JSON.parse(target.record) as { url: string };
  const { eventId, body } = delivery;
  const signature = signWebhook({ id: eventId, timestamp: new Date(nowMs), body }, toSecrets(target, nowMs));
  return {
    url,
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...signature },
    body,
  };
}

/** The current secret and, until it expires, the previous one. */
function toSecrets(
  { secret, former_secret, former_secret_until_ms }: DeliveryTarget,
  nowMs: number,
): string[] {
  const isValid = former_secret !== null && (former_secret_until_ms ?? 0) > nowMs;
  return isValid ? [secret, former_secret] : [secret];
}
