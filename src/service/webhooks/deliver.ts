import { setTimeout as delay } from 'node:timers/promises';
import packageFile from '../../../package.json' with { type: 'json' };
import { signWebhook } from '../../webhooks/signature.ts';
import type { Database } from '../db/database.ts';
import { type ClaimedDelivery, releaseDeliveries, type WebhookTarget } from '../db/delivery-queue.ts';
import type { Environment } from '../domain/context.ts';
import { type DeliveryAttemptResult, failPendingDeliveries, recordAttempt } from './attempts.ts';
import type { WebhookSender } from './webhook-sender.ts';

/** Where it is said what went wrong, as the service's log takes it. */
export interface DeliveryLog {
  warn(members: object, message: string): void;
  error(members: object, message: string): void;
}

export interface DeliveryParts {
  readonly database: Database;
  readonly environment: Environment;
  readonly log: DeliveryLog;
  readonly postman: WebhookSender;
  /** Cuts what is under way; it is given back then. */
  readonly signal: AbortSignal;
}

/** A delivery that was claimed, and where it goes. */
export interface AddressedDelivery {
  readonly receiver: WebhookTarget;
  readonly delivery: ClaimedDelivery;
}

const userAgent = `salon/${packageFile.version}`;

/** One delivery's way: sent, and what came of it recorded. */
export interface DeliveryAttempts {
  /** Makes a try; undefined where it was cut and nobody knows what came of it. Throws where nothing can be sent. */
  send(addressed: AddressedDelivery): Promise<DeliveryAttemptResult | undefined>;
  /**
   * Records a try, or gives back what was cut. Where the database takes nothing, it is asked again for as long as the
   * lease lasts.
   */
  record(addressed: AddressedDelivery, made: DeliveryAttemptResult | undefined): Promise<void>;
  /** Whether the database has not taken something yet that was to be recorded. */
  isBehind(): boolean;
}

const recordAgainMs = 250;

export function createDeliveryAttempts({
  database,
  environment,
  log,
  postman,
  signal,
}: DeliveryParts): DeliveryAttempts {
  let behind = 0;

  async function insist<Result>(delivery: ClaimedDelivery, write: () => Promise<Result>): Promise<Result> {
    try {
      return await write();
    } catch (error) {
      if (signal.aborted || environment.now().getTime() >= delivery.leasedUntilMs) throw error;
    }
    behind += 1;
    try {
      await delay(recordAgainMs, undefined, { signal }).catch(() => undefined);
      return await insist(delivery, write);
    } finally {
      behind -= 1;
    }
  }

  return {
    async send({ receiver, delivery }) {
      const startedMs = environment.now().getTime();
      const reply = await postman.post(toMessage({ receiver, delivery }, startedMs), signal);
      if ('failure' in reply && signal.aborted) return undefined;
      return { receiver, delivery, reply, startedMs, endedMs: environment.now().getTime() };
    },
    async record({ receiver, delivery }, made) {
      if (made === undefined) {
        await database.transaction((tx) => releaseDeliveries(tx, [delivery]));
        return;
      }
      const reason = await insist(delivery, () => recordAttempt({ database, environment }, made));
      if (reason === undefined) return;
      log.warn({ webhook: receiver.id, account: receiver.account_id, reason }, 'webhook disabled');
      while (!signal.aborted && (await failPendingDeliveries({ database, environment }, receiver)));
    },
    isBehind: () => behind > 0,
  };
}

function toMessage({ receiver, delivery }: AddressedDelivery, nowMs: number) {
  const { url } = JSON.parse(receiver.record) as { url: string };
  const { eventId, body } = delivery;
  const signed = signWebhook({ id: eventId, timestamp: new Date(nowMs), body }, toSecrets(receiver, nowMs));
  return {
    url,
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...signed },
    body,
  };
}

/** The newest first; the one before it signs too for as long as it is good. */
function toSecrets(
  { secret, former_secret, former_secret_until_ms }: WebhookTarget,
  nowMs: number,
): string[] {
  const isGood = former_secret !== null && (former_secret_until_ms ?? 0) > nowMs;
  return isGood ? [secret, former_secret] : [secret];
}
