import { SalonError } from '../../contract/errors.ts';
import type { Writer } from '../db/engine.ts';
import { isTicketUsed } from '../db/identity/one-time-links.ts';
import {
  acceptTotpStep,
  deleteRecoveryCode,
  noSecondFactor,
  readUser,
  saveRecoveryCodes,
  type UserRow,
  updateUser,
} from '../db/identity/users.ts';
import { sealedColumns, toPurpose } from '../db/sealed-columns.ts';
import type { Context, Environment } from '../domain/context.ts';
import { invalidField } from '../domain/validation.ts';
import type { Browser, SignInContext, SignInResult } from './identity.ts';
import { changeSignInMethod, readOwnUser } from './own-account.ts';
import {
  completeSignIn,
  countAttempt,
  recordFailure,
  refuse,
  refuseFor,
  toAttemptLimits,
  toPasswordFingerprint,
} from './password-sign-in.ts';
import { assertRecentlyConfirmed } from './sessions.ts';
import { createTicket, readTicket, takeTicket, toTokenHash } from './tickets.ts';

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
async function findTotpStep(secret: string, code: string, now: Date): Promise<number | undefined> {
  if (!isTotpCode(code)) return undefined;
  const { Secret, TOTP } = await import('otpauth');
  const token = code.replaceAll(/\s/g, '');
  const timestamp = now.getTime();
  const delta = TOTP.validate({ token, secret: Secret.fromBase32(secret), timestamp, window: 1 });
  return delta === null ? undefined : Math.floor(timestamp / stepMs) + delta;
}

/** A new seed for an authenticator app, in Base32. */
async function createTotpSecret(random: (size: number) => Uint8Array): Promise<string> {
  const { Secret } = await import('otpauth');
  const bytes = Uint8Array.from(random(secretBytes));
  return new Secret({ buffer: bytes.buffer }).base32;
}

/** The URI of a seed, which its QR code contains. */
async function toTotpUri(
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
function createRecoveryCodes(environment: Pick<Environment, 'random'>): string[] {
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

/** A seed for an authenticator app, which counts only once a code was entered. */
export interface TotpSetup {
  /** Base32, for typing. */
  readonly secret: string;
  /** The contents of the QR code. */
  readonly uri: string;
  /** To be sent back with the first code. */
  readonly setup: string;
}

/**
 * Starts to add an authenticator app, or continues a setup that has not expired. Nothing is stored
 * yet. Throws `confirmation_required`.
 */
export async function beginTotp(context: Context, started?: string): Promise<TotpSetup> {
  await assertRecentlyConfirmed(context);
  const { id, email } = await readOwnUser(context);
  const known = started === undefined ? undefined : readTicket(context, 'totp_setup', started);
  const secret = known?.userId === id ? known.secret : await createTotpSecret(context.environment.random);
  const setup = createTicket(context, 'totp_setup', { secret, userId: id });
  return { secret, uri: await toTotpUri(secret, { issuer: 'Salon', email }), setup };
}

/**
 * Adds an authenticator app after its first code; from now on signing in with the password asks for one. Returns
 * recovery codes, which are shown once. Throws `confirmation_required` and `validation_failed`.
 */
export async function finishTotp(
  context: Context,
  { setup, code }: { setup: string; code: string },
): Promise<readonly string[]> {
  const { environment, secrets } = context;
  const user = await readOwnUser(context);
  const started = readTicket(context, 'totp_setup', setup);
  if (started?.userId !== user.id) throw invalidField('/code', 'This setup has expired. Start again.');
  const step = await findTotpStep(started.secret, code, environment.now());
  if (step === undefined) {
    throw invalidField('/code', "The code is wrong or has expired. Check that your phone's clock is right.");
  }
  const notice = 'An authenticator app was added to your account';
  return changeSignInMethod(context, { user, action: 'user.second_factor_added', notice }, async (tx) => {
    const totp_secret = secrets.seal(started.secret, toPurpose(sealedColumns.totpSecret, user.id));
    await updateUser(tx, user.id, { totp_secret, totp_step: step });
    return replaceCodes(tx, context, user.id);
  });
}

/** Removes the authenticator app and the recovery codes. Throws `confirmation_required`. */
export async function removeTotp(context: Context): Promise<void> {
  const user = await readOwnUser(context);
  const notice = 'The authenticator app was removed from your account';
  await changeSignInMethod(context, { user, action: 'user.second_factor_removed', notice }, async (tx) => {
    await updateUser(tx, user.id, noSecondFactor);
    await saveRecoveryCodes(tx, user.id, []);
  });
}

/** New recovery codes in place of the former ones. Throws `confirmation_required` and `conflict` without an app. */
export async function renewRecoveryCodes(context: Context): Promise<readonly string[]> {
  const user = await readOwnUser(context);
  if (user.totp_secret === null) {
    throw new SalonError('conflict', 'Add an authenticator app before creating recovery codes.', {
      status: 409,
    });
  }
  const notice = 'New recovery codes were created for your account';
  return changeSignInMethod(context, { user, action: 'user.recovery_codes_created', notice }, (tx) =>
    replaceCodes(tx, context, user.id),
  );
}

async function replaceCodes(
  tx: Writer,
  { environment }: Context,
  userId: string,
): Promise<readonly string[]> {
  const codes = createRecoveryCodes(environment);
  await saveRecoveryCodes(tx, userId, codes.map(toRecoveryCodeHash));
  return codes;
}
