import { readUserByEmailKey, type UserRow } from '../db/identity/users.ts';
import { readWaitMs, takeAttempt } from '../domain/window-limit.ts';
import type { AttemptLimit } from './attempt-limits.ts';
import {
  completePasswordSignIn,
  refuse,
  refuseFor,
  rehashPassword,
  toAttemptLimits,
} from './complete-sign-in.ts';
import { findEmailAddress } from './email-address.ts';
import type { Browser, SignInContext, SignInResult } from './identity.ts';
import { recordFailedSignIn, type SignInMethod } from './sign-in-events.ts';

/**
 * Signs a person in with their email address and password. Known and unknown addresses take the same time, count in
 * the same limits and get the same texts.
 */
export async function signInWithPassword(
  context: SignInContext,
  { email, password, browser }: { email: string; password: string; browser: Browser },
): Promise<SignInResult> {
  const { database, identity } = context;
  const address = findEmailAddress(email);
  const user = await readUserByEmailKey(database.reader, address?.key ?? '');
  const subject = address?.key ?? email.normalize('NFKC').toLowerCase();
  const limits = toAttemptLimits(context, { kind: 'person', subject, user, browser });
  const waitMs = await countAttempt(context, limits);
  if (waitMs > 0) return refuseFor(waitMs);
  const isRight = await identity.passwords.verify(password, user?.password_hash);
  if (user === undefined || !isRight) {
    await recordFailure(context, user, { limits, method: 'password' });
    return refuse('The email address or the password is wrong.');
  }
  const current = await rehashPassword(context, user, password);
  return completePasswordSignIn(context, current, { browser, method: 'password', limits });
}

/** Counts an attempt in its limits. Returns how long it has to wait, in milliseconds; 0 if it may be made. */
export async function countAttempt(
  { database, environment }: Pick<SignInContext, 'database' | 'environment'>,
  limits: readonly AttemptLimit[],
): Promise<number> {
  const now = environment.now();
  // Attempts that have to wait write nothing, however many there are.
  const waitMs = await readWaitMs(database.reader, limits, now);
  return waitMs > 0 ? waitMs : database.transaction('service', (tx) => takeAttempt(tx, limits, now));
}

/** Records a refused attempt, and how long the next one has to wait. */
export async function recordFailure(
  context: SignInContext,
  user: UserRow | undefined,
  { limits, method }: { limits: readonly AttemptLimit[]; method: SignInMethod },
): Promise<void> {
  await context.database.transaction('service', async (tx) => {
    const waitMs = await readWaitMs(tx, limits, context.environment.now());
    const wait_seconds = Math.ceil(Math.max(0, waitMs) / 1000);
    await recordFailedSignIn(tx, context, { user, method, wait_seconds });
  });
}
