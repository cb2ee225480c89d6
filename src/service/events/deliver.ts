import packageFile from '../../../package.json' with { type: 'json' };
import { signWebhook } from '../../webhooks/signature.ts';
import type { Outside } from '../domain/context.ts';
import type { Database } from '../store/database.ts';
import { type ClaimedDelivery, type Receiver, releaseDeliveries } from '../store/delivery-queue.ts';
import type { Postman } from './post-message.ts';
import { recordTry } from './record-try.ts';

/** Where it is said what went wrong, as the service's log takes it. */
export interface DeliveryLog {
  warn(members: object, message: string): void;
  error(members: object, message: string): void;
}

export interface DeliveryParts {
  readonly database: Database;
  readonly outside: Outside;
  readonly log: DeliveryLog;
  readonly postman: Postman;
  /** Cuts what is under way; it is given back then. */
  readonly signal: AbortSignal;
}

/** A delivery that was claimed, and where it goes. */
export interface Addressed {
  readonly receiver: Receiver;
  readonly delivery: ClaimedDelivery;
}

const userAgent = `salon/${packageFile.version}`;

/**
 * Makes what tries a delivery and records what came of it. Answers whether it was delivered; undefined where that is
 * not known, or is not this process's to say any more.
 */
export function createDelivery({ database, outside, log, postman, signal }: DeliveryParts) {
  return async ({ receiver, delivery }: Addressed): Promise<boolean | undefined> => {
    const startedMs = outside.now().getTime();
    const reply = await postman.post(toMessage({ receiver, delivery }, startedMs), signal);
    if ('failure' in reply && signal.aborted) {
      await database.transaction((tx) => releaseDeliveries(tx, [delivery]));
      return undefined;
    }
    const made = { receiver, delivery, reply, startedMs, endedMs: outside.now().getTime() };
    const verdict = await recordTry({ database, outside }, made);
    if (verdict?.disabledReason !== undefined) {
      const { id: webhook, account_id: account } = receiver;
      log.warn({ webhook, account, reason: verdict.disabledReason }, 'webhook disabled');
    }
    return verdict?.isDelivered;
  };
}

function toMessage({ receiver, delivery }: Addressed, nowMs: number) {
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
function toSecrets({ secret, former_secret, former_secret_until_ms }: Receiver, nowMs: number): string[] {
  const isGood = former_secret !== null && (former_secret_until_ms ?? 0) > nowMs;
  return isGood ? [secret, former_secret] : [secret];
}
