import { SalonError } from '../../contract/errors.ts';
import type { Writer } from '../db/engine.ts';
import { noSecondFactor, saveRecoveryCodes, updateUser } from '../db/identity/users.ts';
import { sealedColumns, toPurpose } from '../db/sealed-columns.ts';
import { toActor } from '../domain/audit.ts';
import type { Context } from '../domain/context.ts';
import { invalidField } from '../domain/validation.ts';
import { readOwnUser } from './own-account.ts';
import { createRecoveryCodes, toRecoveryCodeHash } from './recovery-codes.ts';
import { assertRecentlyConfirmed } from './sessions.ts';
import { recordPersonEvent } from './sign-in-events.ts';
import { createTicket, readTicket } from './tickets.ts';
import { createTotpSecret, findTotpStep, toTotpUri } from './totp.ts';

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
  const { database, environment, secrets } = context;
  const user = await readOwnUser(context);
  const started = readTicket(context, 'totp_setup', setup);
  if (started?.userId !== user.id) throw invalidField('/code', 'This setup has expired. Start again.');
  const step = await findTotpStep(started.secret, code, environment.now());
  if (step === undefined) {
    throw invalidField('/code', "The code is wrong or has expired. Check that your phone's clock is right.");
  }
  const codes = await database.transaction('service', async (tx) => {
    await assertRecentlyConfirmed(context, tx);
    const totp_secret = secrets.seal(started.secret, toPurpose(sealedColumns.totpSecret, user.id));
    await updateUser(tx, user.id, { totp_secret, totp_step: step });
    const event = { user, actor: toActor(context.caller), action: 'user.second_factor_added' } as const;
    await recordPersonEvent(tx, context, event);
    return replaceCodes(tx, context, user.id);
  });
  context.notify?.(context, user, 'An authenticator app was added to your account');
  return codes;
}

/** Removes the authenticator app and the recovery codes. Throws `confirmation_required`. */
export async function removeTotp(context: Context): Promise<void> {
  const user = await readOwnUser(context);
  await context.database.transaction('service', async (tx) => {
    await assertRecentlyConfirmed(context, tx);
    await updateUser(tx, user.id, noSecondFactor);
    await saveRecoveryCodes(tx, user.id, []);
    const event = { user, actor: toActor(context.caller), action: 'user.second_factor_removed' } as const;
    await recordPersonEvent(tx, context, event);
  });
  context.notify?.(context, user, 'The authenticator app was removed from your account');
}

/** New recovery codes in place of the former ones. Throws `confirmation_required` and `conflict` without an app. */
export async function renewRecoveryCodes(context: Context): Promise<readonly string[]> {
  const user = await readOwnUser(context);
  if (user.totp_secret === null) {
    throw new SalonError('conflict', 'Add an authenticator app before creating recovery codes.', {
      status: 409,
    });
  }
  const codes = await context.database.transaction('service', async (tx) => {
    await assertRecentlyConfirmed(context, tx);
    const event = { user, actor: toActor(context.caller), action: 'user.recovery_codes_created' } as const;
    await recordPersonEvent(tx, context, event);
    return replaceCodes(tx, context, user.id);
  });
  context.notify?.(context, user, 'New recovery codes were created for your account');
  return codes;
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
