import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { SalonError } from '../../contract/errors.ts';
import { updateSession } from '../db/identity/sessions.ts';
import { deletePasskeys, insertPasskey, readPasskeysOf } from '../db/identity/users.ts';
import { toActor } from '../domain/audit.ts';
import type { Context } from '../domain/context.ts';
import { invalidField } from '../domain/validation.ts';
import { readOwnUser } from './own-account.ts';
import { parsePersonName } from './person-name.ts';
import { assertRecentlyConfirmed, sessionOf } from './sessions.ts';
import { recordPersonEvent } from './sign-in-events.ts';
import { createTicket, readTicket, takeTicket } from './tickets.ts';

/** More devices than anyone uses. */
const maxPasskeys = 20;

/** EdDSA, ES256 and RS256. Asking the library which ones Node supports prints warnings of experiments. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** The options for `navigator.credentials.create`, and the ticket that comes back with its response. */
export interface PasskeySetup {
  readonly options: PublicKeyCredentialCreationOptionsJSON;
  readonly ticket: string;
}

/** Starts to add a passkey to the person who asks. Throws `confirmation_required`. */
export async function beginPasskey(context: Context, { origin }: { origin: string }): Promise<PasskeySetup> {
  await assertRecentlyConfirmed(context);
  const user = await readOwnUser(context);
  const known = await readPasskeysOf(context.database.reader, user.id);
  if (known.length >= maxPasskeys) throw invalidField('', `Remove a passkey first: you have ${maxPasskeys}.`);
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const options = await generateRegistrationOptions({
    rpName: 'Salon',
    rpID: new URL(origin).hostname,
    userName: user.email,
    userDisplayName: user.name,
    userID: Uint8Array.from(Buffer.from(user.id)),
    challenge: Uint8Array.from(context.environment.random(32)),
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: JSON.parse(transports) })),
    // It is used without an email address, and instead of two factors.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const ticket = createTicket(context, 'passkey_registration', {
    challenge: options.challenge,
    userId: user.id,
  });
  return { options, ticket };
}

/** Adds a passkey. Throws `confirmation_required` and `validation_failed`. */
export async function finishPasskey(
  context: Context,
  input: { origin: string; ticket: string; name: string; response: RegistrationResponseJSON },
): Promise<void> {
  const { database, environment } = context;
  const name = parsePersonName(input.name);
  const user = await readOwnUser(context);
  const started = readTicket(context, 'passkey_registration', input.ticket);
  const credential = started?.userId === user.id ? await verify(input, started.challenge) : undefined;
  const refusal = invalidField('', 'This passkey could not be added. Try again.');
  if (credential === undefined) throw refusal;
  await database.transaction('service', async (tx) => {
    await assertRecentlyConfirmed(context, tx);
    const isNew =
      (await takeTicket(tx, context, 'passkey_registration', input.ticket)) &&
      (await insertPasskey(tx, {
        id: credential.id,
        user_id: user.id,
        name,
        public_key: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: JSON.stringify(credential.transports ?? []),
        created_at: environment.now().toISOString(),
        last_used_at: null,
      }));
    if (!isNew) throw refusal;
    await updateSession(tx, sessionOf(context).id, { has_second_factor: 1 });
    const actor = toActor(context.caller);
    await recordPersonEvent(tx, context, { user, actor, action: 'user.passkey_added', details: { name } });
  });
  context.notify?.(context, user, 'A passkey was added to your account');
}

/** Removes a passkey of the person who asks. Throws `confirmation_required` and `not_found`. */
export async function removePasskey(context: Context, id: string): Promise<void> {
  const user = await readOwnUser(context);
  await context.database.transaction('service', async (tx) => {
    await assertRecentlyConfirmed(context, tx);
    const passkey = (await readPasskeysOf(tx, user.id)).find((one) => one.id === id);
    if (passkey === undefined) throw new SalonError('not_found', 'No passkey with this ID.');
    await deletePasskeys(tx, { userId: user.id, id });
    const event = { user, actor: toActor(context.caller), action: 'user.passkey_removed' } as const;
    await recordPersonEvent(tx, context, { ...event, details: { name: passkey.name } });
  });
  context.notify?.(context, user, 'A passkey was removed from your account');
}

/** The credential in a browser's response; undefined for a response that does not prove it. */
async function verify(
  { origin, response }: { origin: string; response: RegistrationResponseJSON },
  challenge: string,
) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      supportedAlgorithmIDs,
    });
    return registrationInfo?.credential;
  } catch {
    return undefined;
  }
}
