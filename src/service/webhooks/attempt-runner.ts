import { setTimeout as delay } from 'node:timers/promises';
import packageFile from '../../../package.json' with { type: 'json' };
import { signWebhook } from '../../webhooks/signature.ts';
import type { Database } from '../db/database.ts';
import type { DeliveryTarget } from '../db/delivery-claims.ts';
import { type ClaimedDelivery, releaseDeliveries } from '../db/delivery-queue.ts';
import { sealedColumns, toPurpose } from '../db/sealed-columns.ts';
import type { Environment } from '../domain/context.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { type AddressedDelivery, cancelPending, type FinishedAttempt, recordAttempt } from './attempts.ts';
import type { WebhookRequest, WebhookResponse, WebhookSender } from './webhook-sender.ts';

/** The part of the service's log that delivery uses. */
export interface DeliveryLogger {
  warn(members: object, message: string): void;
  error(members: object, message: string): void;
}

interface AttemptRunnerOptions {
  readonly database: Database;
  readonly environment: Environment;
  readonly secrets: Secrets;
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

  async function post(addressed: AddressedDelivery, nowMs: number): Promise<WebhookResponse> {
    const { target, delivery } = addressed;
    let signing: readonly string[];
    try {
      signing = openSecrets(secrets, target, nowMs);
    } catch (error) {
      log.error({ err: error, webhook: target.id, delivery: delivery.id }, 'webhook secret not readable');
      return { failure: 'The service cannot read the secret of the webhook.' };
    }
    return sender.post(toSignedRequest(addressed, signing, nowMs), signal);
  }

  return {
    async send({ target, delivery }) {
      const startedMs = environment.now().getTime();
      const response = await post({ target, delivery }, startedMs);
      if ('failure' in response && signal.aborted) return undefined;
      return { target, delivery, response, startedMs, endedMs: environment.now().getTime() };
    },
    async record({ target, delivery }, finished) {
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
    isBehind: () => retrying > 0,
  };
}

function toSignedRequest(
  { target, delivery }: AddressedDelivery,
  secrets: readonly string[],
  nowMs: number,
): WebhookRequest {
  const { url } = JSON.parse(target.record) as { url: string };
  const { eventId, body } = delivery;
  const signature = signWebhook({ id: eventId, timestamp: new Date(nowMs), body }, secrets);
  return {
    url,
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...signature },
    body,
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
