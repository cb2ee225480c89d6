import type { Writer } from '../db/engine.ts';
import { isTicketUsed } from '../db/identity/one-time-links.ts';
import { acceptTotpStep, deleteRecoveryCode, readUser, type UserRow } from '../db/identity/users.ts';
import { sealedColumns, toPurpose } from '../db/sealed-columns.ts';
import type { Environment } from '../domain/context.ts';
import type { Browser, SignInContext, SignInResult } from './identity.ts';
import {
  completeSignIn,
  countAttempt,
  recordFailure,
  refuse,
  refuseFor,
  toAttemptLimits,
  toPasswordFingerprint,
} from './password-sign-in.ts';
import { readTicket, takeTicket, toTokenHash } from './tickets.ts';

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
    if (await isTicketUsed(tx, toTokenHash(ticket))) return refuse(expired);
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

/** Six digits, with the spaces that apps show. */
const codeForm = /^\d{3}\s?\d{3}$/;
const stepMs = 30_000;
const secretBytes = 20;

/** Whether a text has the form of a code. */
function isTotpCode(text: string): boolean {
  return codeForm.test(text.trim());
}

/**
 * The time step of a right code: this one, the one before or the one after. Undefined for a wrong one. A step works
 * once; the caller remembers it.
 */
export async function findTotpStep(secret: string, code: string, now: Date): Promise<number | undefined> {
  if (!isTotpCode(code)) return undefined;
  const { Secret, TOTP } = await import('otpauth');
  const token = code.replaceAll(/\s/g, '');
  const timestamp = now.getTime();
  const delta = TOTP.validate({ token, secret: Secret.fromBase32(secret), timestamp, window: 1 });
  return delta === null ? undefined : Math.floor(timestamp / stepMs) + delta;
}

/** A new seed for an authenticator app, in Base32. */
export async function createTotpSecret(random: (size: number) => Uint8Array): Promise<string> {
  const { Secret } = await import('otpauth');
  const bytes = Uint8Array.from(random(secretBytes));
  return new Secret({ buffer: bytes.buffer }).base32;
}

/** The URI of a seed, which its QR code contains. */
export async function toTotpUri(
  secret: string,
  { issuer, email }: { issuer: string; email: string },
): Promise<string> {
  const { Secret, TOTP } = await import('otpauth');
  // A colon separates the parts of the label.
  const name = { issuer: issuer.replaceAll(':', ' '), label: email };
  return new TOTP({ ...name, secret: Secret.fromBase32(secret) }).toString();
}

/** Without letters that are read as digits; o, i and l are accepted for them. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const count = 10;
const groups = 4;
const groupLength = 4;

/** New recovery codes, such as `7k3m-w2xd-09ab-q4tz`: 80 random bits each. */
export function createRecoveryCodes(environment: Pick<Environment, 'random'>): string[] {
  return Array.from({ length: count }, () => {
    const bytes = environment.random(groups * groupLength);
    const letters = [...bytes].map((byte) => alphabet[byte % alphabet.length]).join('');
    return letters.match(new RegExp(`.{${groupLength}}`, 'g'))?.join('-') ?? '';
  });
}

/** The hash of a code as a person typed it, for comparison with stored ones. */
export function toRecoveryCodeHash(typed: string): string {
  const plain = typed.toLowerCase().replace(/[\s-]+/g, '');
  return toTokenHash(plain.replaceAll('o', '0').replace(/[il]/g, '1'));
}
