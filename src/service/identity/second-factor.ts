import type { Writer } from '../db/engine.ts';
import { acceptTotpStep, deleteRecoveryCode, readUser, type UserRow } from '../db/identity/users.ts';
import { sealedColumns, toPurpose } from '../db/sealed-columns.ts';
import {
  completeSignIn,
  refuse,
  refuseFor,
  toAttemptLimits,
  toPasswordFingerprint,
} from './complete-sign-in.ts';
import type { Browser, SignInContext, SignInResult } from './identity.ts';
import { toRecoveryCodeHash } from './recovery-codes.ts';
import { countAttempt, recordFailure } from './sign-in.ts';
import { isUsed, readTicket, takeTicket } from './tickets.ts';
import { findTotpStep, isTotpCode } from './totp.ts';

const expired = 'This sign-in has expired. Start again.';

/** Completes a sign-in with a code of the authenticator app, or with a recovery code. Each works once. */
export async function finishSecondFactor(
  context: SignInContext,
  { ticket, code, browser }: { ticket: string; code: string; browser: Browser },
): Promise<SignInResult> {
  const { database } = context;
  const started = readTicket(context, 'second_factor', ticket);
  const user = started && (await readUser(database.reader, started.userId));
  if (
    user === undefined ||
    user.totp_secret === null ||
    toPasswordFingerprint(user) !== started?.passwordHash
  ) {
    return refuse(expired);
  }
  const limits = toAttemptLimits(context, { kind: 'second_factor', subject: user.id, user, browser });
  const waitMs = await countAttempt(context, limits);
  if (waitMs > 0) return refuseFor(waitMs);
  const method = isTotpCode(code) ? 'totp' : 'recovery_code';
  const take = await createFactor(context, user, code);
  const result = await database.transaction('service', async (tx) => {
    if (take === undefined) return undefined;
    // An expired sign-in uses no code up.
    if (await isUsed(tx, ticket)) return refuse(expired);
    if (!(await take(tx))) return undefined;
    if (!(await takeTicket(tx, context, 'second_factor', ticket))) return refuse(expired);
    return completeSignIn(tx, context, user, { browser, method, limits });
  });
  if (result !== undefined) return result;
  await recordFailure(context, user, { limits, method });
  return refuse(
    method === 'totp'
      ? "The code is wrong, has expired or was used before. Check that your phone's clock is right."
      : 'The code is wrong or was used before.',
  );
}

/** Checks a code. Returns what uses it up in a transaction, which is false when it was used before. */
async function createFactor(
  { environment, secrets }: SignInContext,
  { id, totp_secret }: UserRow,
  code: string,
): Promise<((tx: Writer) => Promise<boolean>) | undefined> {
  if (!isTotpCode(code)) return (tx) => deleteRecoveryCode(tx, id, toRecoveryCodeHash(code));
  if (totp_secret === null) return undefined;
  const step = await findTotpStep(
    secrets.open(totp_secret, toPurpose(sealedColumns.totpSecret, id)),
    code,
    environment.now(),
  );
  return step === undefined ? undefined : (tx) => acceptTotpStep(tx, id, step);
}
