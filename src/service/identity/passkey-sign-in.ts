import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Writer } from '../db/engine.ts';
import { updateSession } from '../db/identity/sessions.ts';
import { type PasskeyRow, readPasskey, readUser, updatePasskey } from '../db/identity/users.ts';
import { toAddressLimit } from './attempt-limits.ts';
import { completeSignIn, refuse } from './complete-sign-in.ts';
import type { Browser, PersonContext, SignInContext, SignInResult } from './identity.ts';
import type { PasswordCheck } from './own-account.ts';
import { sessionOf } from './sessions.ts';
import { countAttempt } from './sign-in.ts';
import { recordFailedSignIn } from './sign-in-events.ts';
import { createTicket, readTicket, takeTicket } from './tickets.ts';

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
): Promise<{ options: PublicKeyCredentialRequestOptionsJSON; ticket: string }> {
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
  const proved = await verify(context, input);
  const user = proved && (await readUser(database.reader, proved.user_id));
  if (proved === undefined || user === undefined) {
    await recordRefused(context, input);
    return refuse(refusal);
  }
  return database.transaction('service', async (tx) =>
    (await use(tx, context, proved, input.ticket))
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
  const proved = await verify(context, input);
  if (proved?.user_id !== user.id) return refuse(refusal);
  return database.transaction('service', async (tx): Promise<PasswordCheck> => {
    if (!(await use(tx, context, proved, input.ticket))) return refuse(refusal);
    await updateSession(tx, id, { authenticated_ms: environment.now().getTime() });
    return { status: 'confirmed' };
  });
}

type Proved = Pick<PasskeyRow, 'id' | 'user_id' | 'counter'>;

/** The passkey that a response proves, with its new counter. */
async function verify(
  context: Pick<SignInContext, 'database' | 'environment' | 'secrets'>,
  { origin, ticket, response }: PasskeyResponse,
): Promise<Proved | undefined> {
  const started = readTicket(context, 'passkey_sign_in', ticket);
  const id = Object(response).id;
  const passkey = typeof id === 'string' ? await readPasskey(context.database.reader, id) : undefined;
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

/** Uses a ticket up and notes the use of the passkey, which must still exist. */
async function use(
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
  const id = Object(response).id;
  const passkey = typeof id === 'string' ? await readPasskey(context.database.reader, id) : undefined;
  const user = passkey && (await readUser(context.database.reader, passkey.user_id));
  if (user === undefined || (await countAttempt(context, [toAddressLimit(context.source.address)])) > 0)
    return;
  await context.database.transaction('service', (tx) =>
    recordFailedSignIn(tx, context, { user, method: 'passkey', wait_seconds: 0 }),
  );
}
