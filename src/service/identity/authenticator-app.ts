import { SalonError } from '../../contract/errors.ts';
import type { Writer } from '../db/engine.ts';
import { noSecondFactor, saveRecoveryCodes, updateUser } from '../db/identity/users.ts';
import { sealedColumns, toPurpose } from '../db/sealed-columns.ts';
import type { Context } from '../domain/context.ts';
import { invalidField } from '../domain/validation.ts';
import { changeSignInMethod, readOwnUser } from './own-account.ts';
import {
  createRecoveryCodes,
  createTotpSecret,
  findTotpStep,
  toRecoveryCodeHash,
  toTotpUri,
} from './second-factor.ts';
import { assertRecentlyConfirmed } from './sessions.ts';
import { createTicket, readTicket } from './tickets.ts';

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
