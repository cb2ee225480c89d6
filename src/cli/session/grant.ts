import { setTimeout as sleep } from 'node:timers/promises';
import type { RenewableCredential } from '../../client/http/credential.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import { type LocalState, openLocalState } from '../../local-state/local-state.ts';
import { tryParseJson } from '../../text/json.ts';
import { configFolder } from '../folders.ts';
import type { Io } from '../io.ts';
import { openAuthorizationServer, type WebFetch } from '../oauth/authorization-server.ts';
import { useKeyring } from '../oauth/keyring.ts';
import { isDue, isExpired, refreshTokens, revokeTokens, type Tokens } from '../oauth/tokens.ts';
import { openWebFetch, type SessionContext } from './network.ts';
import type { SavedGrant } from './profile.ts';
import { openProfileStore } from './profiles.ts';

/** A saved sign-in, and what is needed to reach its server. */
interface GrantContext extends SessionContext {
  readonly grant: SavedGrant;
}

/** A sign-in and its tokens, wherever they are kept. */
export interface GrantWithTokens {
  readonly grant: SavedGrant;
  readonly tokens: Tokens;
}

/** Undefined where the keyring does not have them any more. Throws `output_failed` where it cannot be used. */
export async function readTokens(
  grant: SavedGrant,
  { platform }: Pick<Io, 'platform'>,
): Promise<Tokens | undefined> {
  if (grant.storage === 'file') return grant.tokens;
  const text = await useKeyring(toKeyringName(grant), platform, (entry) => entry.getPassword());
  const tokens = tryParseJson(text ?? '') as Tokens | undefined;
  return typeof tokens?.access_token === 'string' ? tokens : undefined;
}

/**
 * The grant with its tokens in the keyring, or in the profile if the keyring cannot be used. Calls `explain` with the
 * reason.
 */
export async function storeTokens(
  { grant: { tokens: _former, ...grant }, tokens }: GrantWithTokens,
  { platform }: Pick<Io, 'platform'>,
  explain: (reason: string) => void,
): Promise<SavedGrant> {
  if (grant.storage === 'file') return { ...grant, tokens };
  try {
    await useKeyring(toKeyringName(grant), platform, (entry) => entry.setPassword(JSON.stringify(tokens)));
    return grant;
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    explain(error.message);
    return { ...grant, storage: 'file', tokens };
  }
}

/** What a person sees in the keyring's own program. */
function toKeyringName({ origin, id }: SavedGrant): string {
  return `${origin} (${id})`;
}

/**
 * The access tokens of a saved sign-in. They are renewed shortly before they expire and when the server refuses one,
 * once for all processes. Methods throw `not_signed_in` when the sign-in has ended.
 */
export function createAccessToken(context: GrantContext): RenewableCredential {
  const { grant, io, messages } = context;
  let tokens: Tokens | undefined;
  let renewal: Promise<Tokens> | undefined;
  const renew = async (refused?: string) => {
    renewal ??= renewTokens(context, refused)
      .then((renewed) => (tokens = renewed))
      .finally(() => {
        renewal = undefined;
      });
    return (await renewal).access_token;
  };
  return {
    kind: 'renewable',
    origin: grant.origin,
    async read() {
      tokens ??= await readTokens(grant, io);
      if (tokens === undefined) throw createEndedError(context);
      const { access_token: former, refresh_token } = tokens;
      const isUsable = !isExpired(tokens, io.now());
      if (isUsable && !(refresh_token !== undefined && isDue(tokens, io.now()))) return former;
      try {
        return await renew();
      } catch (error) {
        if (!isUsable || !(error instanceof SalonError) || error.code === 'not_signed_in') throw error;
        messages.verbose(`Could not renew the sign-in yet: ${error.message}`);
        return former;
      }
    },
    renew: async (refused) =>
      tokens !== undefined && tokens.access_token !== refused ? tokens.access_token : renew(refused),
  };
}

/** The sign-in was revoked, was not used for too long, or is no longer stored. */
function createEndedError({ session: { profileName, settings } }: SessionContext): SalonError {
  const where = settings.baseUrl?.value ?? 'the salon';
  const profile = profileName === undefined ? '' : ` -p ${profileName}`;
  return new SalonError('not_signed_in', `Your sign-in to ${where} has ended.`, {
    hint: `Sign in again: salon auth login${profile}`,
  });
}

/**
 * Renews the tokens of a sign-in, or returns those that another process has just renewed. A refresh token is used once:
 * servers take a second use for theft and end the sign-in. So one process at a time renews, and saves the new tokens
 * before it lets others read them. `refused` is an access token that the server did not accept.
 */
async function renewTokens(context: GrantContext, refused: string | undefined): Promise<Tokens> {
  const { io } = context;
  const isUsable = ({ tokens }: GrantWithTokens) =>
    tokens.access_token !== refused && !isDue(tokens, io.now());
  // Where nothing can be saved, nothing is renewed: the new tokens would be lost.
  using state = await openState(io);
  const startMs = performance.now();
  for (let polls = 1; ; polls += 1) {
    const stored = await readStored(context);
    if (isUsable(stored)) return stored.tokens;
    const lock = await lockGrant(state, stored.grant);
    if (lock !== undefined) {
      await using _held = lock;
      const latest = await readStored(context);
      return isUsable(latest) ? latest.tokens : await renewStored(latest, context);
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
function lockGrant(state: LocalState, { id }: SavedGrant): Promise<AsyncDisposable | undefined> {
  return state.acquireLock(`sign-in/${id}`);
}

/** The tokens as they are saved now, also those of a later sign-in to the same account. */
async function readStored(context: GrantContext): Promise<GrantWithTokens> {
  const { session, grant: own, io } = context;
  const current = openProfileStore(io).find(session.profileName ?? '');
  const grant = current?.oauth;
  const account = session.profile?.account;
  const isSame = grant?.id === own.id || (account !== undefined && current?.account?.id === account.id);
  const tokens = grant?.origin === own.origin && isSame ? await readTokens(grant, io) : undefined;
  if (grant === undefined || tokens === undefined) throw createEndedError(context);
  return { grant, tokens };
}

async function renewStored({ grant, tokens: former }: GrantWithTokens, context: GrantContext) {
  const { io, messages, session } = context;
  const { profileName = '' } = session;
  const { refresh_token } = former;
  const ended = createEndedError(context);
  if (refresh_token === undefined) throw ended;
  // A refresh token that was used must be replaced.
  await using http = await openWebFetch({ ...context, ignoresInterrupt: true });
  const renewed = await withRetries(async () => {
    const server = await openServer(grant, http.fetch);
    return await refreshTokens(server, { ...former, refresh_token }, { now: io.now, ended });
  });
  const store = openProfileStore(io);
  const saved = await storeTokens({ grant, tokens: renewed }, io, (reason) =>
    messages.warn(`${reason} The sign-in is now stored in ${store.path}, which only you can read.`),
  );
  if (saved.storage === 'keyring') return renewed;
  try {
    await store.change((profiles) => {
      const current = profiles.find(profileName);
      if (current?.oauth?.id === grant.id) profiles.save(profileName, { ...current, oauth: saved });
    });
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    messages.warn(`The renewed sign-in could not be saved: ${error.message} You may have to sign in again.`);
  }
  return renewed;
}

function openServer({ issuer, client_id: clientId, origin }: SavedGrant, fetch: WebFetch) {
  return openAuthorizationServer({ fetch, baseUrl: origin, issuer, clientId });
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

async function openState(io: Io): Promise<LocalState> {
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

const maxWaitMs = 30_000;

/**
 * Ends a sign-in at its server and removes its tokens from the keyring. The profile is the caller's. Waits for another
 * process that renews it, whose new tokens would be left behind, but not for one that is stopped.
 */
export async function endGrant(context: GrantContext) {
  const { grant, io } = context;
  using state = await openLocalState(configFolder(io));
  const startMs = performance.now();
  let lock = await lockGrant(state, grant);
  while (lock === undefined && performance.now() - startMs <= maxWaitMs) {
    await sleep(2 * pollMs, undefined, { signal: io.signal });
    lock = await lockGrant(state, grant);
  }
  await using _held = lock;
  const failures: SalonError[] = [];
  const keep = (error: unknown) => {
    if (!(error instanceof SalonError)) throw error;
    failures.push(error);
  };
  const isRevoked = await revoke(context).catch(keep);
  if (grant.storage === 'keyring')
    await useKeyring(toKeyringName(grant), io.platform, (entry) => entry.deletePassword()).catch(keep);
  return {
    /** Why the server could not be notified; undefined if it was, or has no endpoint for that. */
    failure: failures[0],
    /** Whether the server has ended the sign-in. */
    isRevoked: isRevoked === true,
  };
}

async function revoke(context: GrantContext): Promise<boolean> {
  const { grant, session, io } = context;
  // The profile may have the tokens of a later renewal.
  const current = openProfileStore(io).find(session.profileName ?? '')?.oauth;
  const tokens = await readTokens(current?.id === grant.id ? current : grant, io);
  if (tokens === undefined) return false;
  await using web = await openWebFetch(context);
  return await revokeTokens(await openServer(grant, web.fetch), tokens);
}
