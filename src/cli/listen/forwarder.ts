import { setTimeout as delay } from 'node:timers/promises';
import { readProxySettings } from '../../client/http/proxy.ts';
import { SalonError } from '../../contract/errors.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { ReceivedWebhook } from './event-intake.ts';

/** The result of forwarding a delivery. */
export interface Forwarded {
  /** Status of the response; null without one. */
  readonly status: number | null;
  readonly took_ms: number;
  readonly attempt_count: number;
  /** Why there was no response. */
  readonly error: string | null;
}

/** Waits between attempts: enough for a program that restarts. */
const waitsMs = [250, 1_000];

/**
 * Returns what forwards a delivery unchanged, and does not throw if the target is down. Retries only without a response,
 * three attempts in all. A target that is down then gets one attempt per delivery until it is back.
 */
export async function openForwarder(url: URL, context: CommandContext) {
  const target = await openTarget(url, context);
  const { now, signal } = context.io;
  const { warn } = context.messages;
  let isDown = false;
  return async ({ headers, body }: Pick<ReceivedWebhook, 'headers' | 'body'>): Promise<Forwarded> => {
    const startedMs = now().getTime();
    for (let attempt_count = 1; ; attempt_count += 1) {
      try {
        const { status } = await target.post({ headers, body });
        if (isDown) warn('The target responds again.');
        isDown = false;
        return { status, took_ms: now().getTime() - startedMs, attempt_count, error: null };
      } catch (thrown) {
        if (!(thrown instanceof SalonError)) throw thrown;
        const waitMs = waitsMs[attempt_count - 1];
        const isPassing = ['connection_failed', 'response_truncated'].includes(thrown.code);
        const canWait = !isDown && waitMs !== undefined && isPassing;
        const isStopped = !canWait || (await delay(waitMs, false, { signal }).catch(() => true));
        if (isStopped) {
          if (!isDown) warn(`${thrown.message} Until it responds, each delivery is tried once.`);
          isDown = true;
          return { status: null, took_ms: now().getTime() - startedMs, attempt_count, error: thrown.message };
        }
      }
    }
  };
}

/** Parses the URL to send deliveries to. Throws `usage`, naming the flag. */
export function parseTarget(text: string, flag: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return url;
  throw new SalonError('usage', `${flag} needs an http or https URL, not "${text}".`, {
    hint: 'For example http://localhost:3000/hook, without a user name.',
  });
}

/** Opens a connection to a receiver, closed with the command. */
export async function openTarget(url: URL, { io, session, closeAtEnd }: CommandContext) {
  const { openWebhookTarget } = await import('../../client/http/webhook-target.ts');
  const { timeout } = (await session()).settings;
  const proxy = readProxySettings(io.env);
  return closeAtEnd(openWebhookTarget({ url, timeoutMs: timeout.value, proxy }));
}

/** Whether the receiver accepted it. */
export function isAccepted({ status }: Pick<Forwarded, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}
