import { setTimeout as sleep } from 'node:timers/promises';
import { SalonError, withContext } from '../../contract/errors.ts';
import { type LocalState, openLocalState } from '../../local-state/local-state.ts';
import { openAuthorizationServer } from '../oauth/authorization-server.ts';
import { type Keyring, openKeyring } from '../oauth/keyring.ts';
import { isDue, refreshTokens, revokeTokens, type Tokens } from '../oauth/tokens.ts';
import { openWebFetch } from '../oauth/web-fetch.ts';
import { configFolder } from './folders.ts';
import { type GrantContext, readOAuthNetwork } from './network.ts';
import { openProfileStore, type ProfileStore } from './profiles.ts';
import { type GrantWithTokens, readTokens, removeTokens, storeTokens } from './saved-grant.ts';

interface RenewalOptions extends GrantContext {
  /** Thrown where the sign-in has ended. */
  readonly ended: SalonError;
}

/**
 * Renews the tokens of a sign-in, or returns those that another process has just renewed. A refresh token is used once:
 * servers take a second use for theft and end the sign-in. So one process at a time renews, and saves the new tokens
 * before it lets others read them. `refused` is an access token that the server did not accept.
 */
export async function renewTokens(options: RenewalOptions, refused: string | undefined): Promise<Tokens> {
  const { io } = options;
  const store = openProfileStore(io);
  const keyring = openKeyring(io.platform);
  const read = () => readStored(store, keyring, options);
  const isUsable = ({ tokens }: GrantWithTokens) =>
    tokens.access_token !== refused && !isDue(tokens, io.now());
  // Where nothing can be saved, nothing is renewed: the new tokens would be lost.
  using state = await openState(options);
  const startMs = performance.now();
  for (let polls = 1; ; polls += 1) {
    const stored = await read();
    if (isUsable(stored)) return stored.tokens;
    const lock = await lockGrant(state, stored.grant);
    if (lock !== undefined) {
      await using _held = lock;
      const latest = await read();
      return isUsable(latest) ? latest.tokens : await renewStored(latest, { store, keyring }, options);
    }
    if (performance.now() - startMs > maxRenewalMs) {
      const message = 'Timed out waiting for another salon command to renew the sign-in.';
      const hint = 'End suspended salon commands, then try again.';
      throw new SalonError('service_unavailable', message, { hint, retryable: true });
    }
    await sleep(Math.min(pollMs * polls, maxPollMs), undefined, { signal: io.signal });
  }
}

/** Longer than a renewal takes with all its attempts. */
const maxRenewalMs = 120_000;
/** Longer and longer, so that a hundred processes leave the machine to the one that renews. */
const pollMs = 50;
const maxPollMs = 500;

/** Held while the tokens of a sign-in are renewed, replaced or ended. Undefined while another process holds it. */
function lockGrant(state: LocalState, { id }: GrantContext['grant']): Promise<AsyncDisposable | undefined> {
  return state.acquireLock(`sign-in/${id}`);
}

/** The tokens as they are saved now, also those of a later sign-in to the same account. */
async function readStored(
  store: ProfileStore,
  keyring: Keyring,
  { session: { profileName = '', profile }, grant: own, ended }: RenewalOptions,
): Promise<GrantWithTokens> {
  const current = store.find(profileName);
  const grant = current?.oauth;
  const isSame =
    grant?.id === own.id || (profile?.account !== undefined && current?.account?.id === profile.account.id);
  if (grant === undefined || grant.origin !== own.origin || !isSame) throw ended;
  const tokens = await readTokens(grant, keyring);
  if (tokens === undefined) throw ended;
  return { grant, tokens };
}

async function renewStored(
  { grant, tokens: former }: GrantWithTokens,
  { store, keyring }: { readonly store: ProfileStore; readonly keyring: Keyring },
  { session, io, messages, ended }: RenewalOptions,
): Promise<Tokens> {
  const { refresh_token } = former;
  if (refresh_token === undefined) throw ended;
  // A refresh token that was used must be replaced.
  const network = await readOAuthNetwork({ session, io, messages, ignoresInterrupt: true });
  await using http = openWebFetch(network);
  const { issuer, client_id: clientId } = grant;
  const renewed = await withRetries(async () => {
    const search = { fetch: http.fetch, baseUrl: grant.origin, issuer, clientId };
    const server = await openAuthorizationServer(search);
    return await refreshTokens(server, { ...former, refresh_token }, { now: io.now, ended });
  });
  const explain = (reason: string) =>
    messages.warn(`${reason} The sign-in is now stored in ${store.path}, which only you can read.`);
  const saved = await storeTokens(grant, renewed, { keyring, explain });
  if (saved.storage === 'keyring') return renewed;
  try {
    await store.change((profiles) => {
      const current = profiles.find(session.profileName ?? '');
      if (current?.oauth?.id !== grant.id) return;
      profiles.save(session.profileName ?? '', { ...current, oauth: saved });
    });
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    messages.warn(`The renewed sign-in could not be saved: ${error.message} You may have to sign in again.`);
  }
  return renewed;
}

const attempts = 3;
const pauseMs = 400;

/** A response that was lost leaves no better choice than to ask again with the same token. */
async function withRetries(renew: () => Promise<Tokens>): Promise<Tokens> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await renew();
    } catch (error) {
      if (!(error instanceof SalonError) || !error.retryable || attempt >= attempts) throw error;
      await sleep(Math.min(error.retryAfterMs ?? pauseMs * attempt, 5_000));
    }
  }
}

async function openState({ io }: RenewalOptions): Promise<LocalState> {
  try {
    return await openLocalState(configFolder(io), { busyTimeoutMs: 30_000 });
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    throw withContext(error, {
      message: `The sign-in cannot be renewed, because it cannot be saved: ${error.message}`,
      hint: 'Make the profile folder writable, or set SALON_API_KEY.',
    });
  }
}

/**
 * Ends a sign-in at its server and removes its tokens from the keyring. The profile is the caller's. Waits for another
 * process that renews it, whose new tokens would be left behind.
 */
export async function endGrant(options: GrantContext) {
  const { grant, io } = options;
  const keyring = openKeyring(io.platform);
  using state = await openLocalState(configFolder(io));
  await using _held = await waitForLock(state, options);
  const failures: SalonError[] = [];
  const keep = (error: unknown) => {
    if (!(error instanceof SalonError)) throw error;
    failures.push(error);
  };
  const isRevoked = await revoke(options, keyring).catch(keep);
  await removeTokens(grant, keyring).catch(keep);
  return {
    /** Why the server could not be notified; undefined if it was, or has no endpoint for that. */
    failure: failures[0],
    /** Whether the server has ended the sign-in. */
    isRevoked: isRevoked === true,
  };
}

const maxWaitMs = 30_000;

/** Undefined after the longest wait: a stopped process must not prevent signing out. */
async function waitForLock(
  state: LocalState,
  { grant, io }: GrantContext,
): Promise<AsyncDisposable | undefined> {
  const startMs = performance.now();
  for (;;) {
    const lock = await lockGrant(state, grant);
    if (lock !== undefined || performance.now() - startMs > maxWaitMs) return lock;
    await sleep(2 * pollMs, undefined, { signal: io.signal });
  }
}

async function revoke(options: GrantContext, keyring: Keyring): Promise<boolean> {
  const { grant, session, io } = options;
  // The profile may have the tokens of a later renewal.
  const current = openProfileStore(io).find(session.profileName ?? '')?.oauth;
  const tokens = await readTokens(current?.id === grant.id ? current : grant, keyring);
  if (tokens === undefined) return false;
  const { issuer, client_id: clientId, origin } = grant;
  await using web = openWebFetch(await readOAuthNetwork(options));
  const server = await openAuthorizationServer({ fetch: web.fetch, baseUrl: origin, issuer, clientId });
  return await revokeTokens(server, tokens);
}
