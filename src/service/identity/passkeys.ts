import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { SalonError } from '../../contract/errors.ts';
import type { Writer } from '../db/engine.ts';
import { updateSession } from '../db/identity/sessions.ts';
import {
  deletePasskeys,
  insertPasskey,
  type PasskeyRow,
  readPasskey,
  readPasskeysOf,
  readUser,
  updatePasskey,
} from '../db/identity/users.ts';
import type { Context } from '../domain/context.ts';
import { invalidField } from '../domain/validation.ts';
import type { Browser, PersonContext, SignInContext, SignInResult } from './identity.ts';
import { changeSignInMethod, type PasswordCheck, readOwnUser } from './own-account.ts';
import {
  completeSignIn,
  countAttempt,
  recordFailedSignIn,
  refuse,
  toAddressLimit,
} from './password-sign-in.ts';
import { parsePersonName } from './person-fields.ts';
import { assertRecentlyConfirmed, sessionOf } from './sessions.ts';
import { createTicket, readTicket, takeTicket } from './tickets.ts';

/** More devices than anyone uses. */
const maxPasskeys = 20;

/** EdDSA, ES256 and RS256. Asking the library which ones Node supports prints warnings of experiments. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Starts to add a passkey to the person who asks. Throws `confirmation_required`. */
export async function beginPasskey(context: Context, { origin }: { origin: string }) {
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
  const name = parsePersonName(input.name);
  const user = await readOwnUser(context);
  const started = readTicket(context, 'passkey_registration', input.ticket);
  const credential =
    started?.userId === user.id ? await verifyRegistration(input, started.challenge) : undefined;
  const refusal = invalidField('', 'This passkey could not be added. Try again.');
  if (credential === undefined) throw refusal;
  const notice = 'A passkey was added to your account';
  const added = { user, action: 'user.passkey_added', details: { name }, notice } as const;
  await changeSignInMethod(context, added, async (tx) => {
    const isNew =
      (await takeTicket(tx, context, 'passkey_registration', input.ticket)) &&
      (await insertPasskey(tx, {
        id: credential.id,
        user_id: user.id,
        name,
        public_key: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: JSON.stringify(credential.transports ?? []),
        created_at: context.environment.now().toISOString(),
        last_used_at: null,
      }));
    if (!isNew) throw refusal;
    await updateSession(tx, sessionOf(context).id, { has_second_factor: 1 });
  });
}

/** Removes a passkey of the person who asks. Throws `confirmation_required` and `not_found`. */
export async function removePasskey(context: Context, id: string): Promise<void> {
  const user = await readOwnUser(context);
  await assertRecentlyConfirmed(context);
  const known = await readPasskeysOf(context.database.reader, user.id);
  const details = { name: known.find((one) => one.id === id)?.name };
  const notice = 'A passkey was removed from your account';
  const removed = { user, action: 'user.passkey_removed', details, notice } as const;
  await changeSignInMethod(context, removed, async (tx) => {
    if ((await deletePasskeys(tx, { userId: user.id, id })) > 0) return;
    throw new SalonError('not_found', 'No passkey with this ID.');
  });
}

/** The credential in a browser's response; undefined for a response that does not prove it. */
async function verifyRegistration(
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

const refusal = 'This passkey was not accepted. Try again, or use your password.';

/** What a browser sends back. */
export interface PasskeyResponse {
  /** The origin of the pages. */
  readonly origin: string;
  readonly ticket: string;
  readonly response: AuthenticationResponseJSON;
}

/**
 * The options for `navigator.credentials.get`, and the ticket that comes back with its response. The browser offers
 * every passkey that it has for this service, so that nothing tells which ones exist.
 */
export async function beginPasskeySignIn(
  context: Pick<SignInContext, 'environment' | 'secrets'>,
  { origin }: { origin: string },
) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    rpID: new URL(origin).hostname,
    challenge: Uint8Array.from(context.environment.random(32)),
    userVerification: 'required',
  });
  return { options, ticket: createTicket(context, 'passkey_sign_in', { challenge: options.challenge }) };
}

/** Signs a person in with a passkey: possession and the device's own check are two factors. */
export async function finishPasskeySignIn(
  context: SignInContext,
  { browser, ...input }: PasskeyResponse & { browser: Browser },
): Promise<SignInResult> {
  const { database } = context;
  const proved = await verifySignIn(context, input);
  const user = proved && (await readUser(database.reader, proved.user_id));
  if (proved === undefined || user === undefined) {
    await recordRefused(context, input);
    return refuse(refusal);
  }
  return database.transaction('service', async (tx) =>
    (await usePasskey(tx, context, proved, input.ticket))
      ? completeSignIn(tx, context, user, { browser, method: 'passkey', limits: [] })
      : refuse(refusal),
  );
}

/** Confirms the person's identity by passkey. For two hours they may then change how they sign in. */
export async function confirmWithPasskey(
  context: PersonContext,
  input: PasskeyResponse,
): Promise<PasswordCheck> {
  const { database, environment } = context;
  const { id, user } = sessionOf(context);
  const proved = await verifySignIn(context, input);
  if (proved?.user_id !== user.id) return refuse(refusal);
  return database.transaction('service', async (tx): Promise<PasswordCheck> => {
    if (!(await usePasskey(tx, context, proved, input.ticket))) return refuse(refusal);
    await updateSession(tx, id, { authenticated_ms: environment.now().getTime() });
    return { status: 'confirmed' };
  });
}

type Proved = Pick<PasskeyRow, 'id' | 'user_id' | 'counter'>;

/** The passkey that a response proves, with its new counter. */
async function verifySignIn(
  context: Pick<SignInContext, 'database' | 'environment' | 'secrets'>,
  { origin, ticket, response }: PasskeyResponse,
): Promise<Proved | undefined> {
  const started = readTicket(context, 'passkey_sign_in', ticket);
  const passkey = await findPasskey(context, response);
  if (started === undefined || passkey === undefined) return undefined;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: started.challenge,
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      credential: {
        id: passkey.id,
        publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
        transports: JSON.parse(passkey.transports),
      },
    });
    return verified
      ? { id: passkey.id, user_id: passkey.user_id, counter: authenticationInfo.newCounter }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The passkey that a response names, which is as the browser sent it. */
async function findPasskey({ database }: Pick<SignInContext, 'database'>, response: unknown) {
  const { id } = Object(response);
  return typeof id === 'string' ? readPasskey(database.reader, id) : undefined;
}

/** Uses a ticket up and notes the use of the passkey, which must still exist. */
async function usePasskey(
  tx: Writer,
  context: SignInContext | PersonContext,
  { id, counter }: Proved,
  ticket: string,
): Promise<boolean> {
  if (!(await takeTicket(tx, context, 'passkey_sign_in', ticket))) return false;
  if ((await readPasskey(tx, id)) === undefined) return false;
  await updatePasskey(tx, { id, counter, last_used_at: context.environment.now().toISOString() });
  return true;
}

/** Records a refused passkey with the person it belongs to, as often as the limit of the address allows. */
async function recordRefused(context: SignInContext, { response }: PasskeyResponse): Promise<void> {
  const passkey = await findPasskey(context, response);
  const user = passkey && (await readUser(context.database.reader, passkey.user_id));
  if (user === undefined || (await countAttempt(context, [toAddressLimit(context.source.address)])) > 0)
    return;
  await context.database.transaction('service', (tx) =>
    recordFailedSignIn(tx, context, { user, method: 'passkey', wait_seconds: 0 }),
  );
}
