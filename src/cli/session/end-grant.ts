import { setTimeout as sleep } from 'node:timers/promises';
import { SalonError } from '../../contract/errors.ts';
import { type LocalState, openLocalState } from '../../local-state/local-state.ts';
import type { StateLock } from '../../local-state/locks.ts';
import { openAuthorizationServer } from '../oauth/authorization-server.ts';
import { openKeyring } from '../oauth/keyring.ts';
import { openOAuthFetch } from '../oauth/oauth-fetch.ts';
import { revokeTokens, type Tokens } from '../oauth/tokens.ts';
import { configFolder } from './folders.ts';
import type { GrantContext } from './grant-context.ts';
import { readOAuthNetwork } from './oauth-network.ts';
import { lockGrant } from './renew-tokens.ts';
import { readTokens, removeTokens } from './token-storage.ts';

export interface EndedGrant {
  /** Why the server could not be told; undefined where it was, or where it has no way to be told. */
  readonly failure: SalonError | undefined;
  /** Whether the server has ended the sign-in. */
  readonly isRevoked: boolean;
}

/**
 * Ends a sign-in at its server and removes its tokens from the keyring. The profile is the caller's. Waits for another
 * process that renews it, whose new tokens would be left behind.
 */
export async function endGrant(options: GrantContext): Promise<EndedGrant> {
  const { grant, io } = options;
  const keyring = openKeyring(io.platform);
  using state = await openLocalState(configFolder(io));
  await using _held = await waitForLock(state, options);
  let end: EndedGrant;
  try {
    const tokens = await readTokens(await readNewest(options), keyring);
    end = { isRevoked: tokens !== undefined && (await revoke(tokens, options)), failure: undefined };
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    end = { isRevoked: false, failure: error };
  }
  try {
    await removeTokens(grant, keyring);
    return end;
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    return { ...end, failure: end.failure ?? error };
  }
}

/** The grant with the tokens of the newest renewal, where the profile still has it. */
async function readNewest({ grant, session, io }: GrantContext) {
  const { openProfileStore } = await import('./profiles.ts');
  const current = openProfileStore(io).find(session.profileName ?? '')?.oauth;
  return current?.id === grant.id ? current : grant;
}

const longestWaitMs = 30_000;
const pollMs = 100;

/** Undefined after the longest wait: a stopped process must not prevent signing out. */
async function waitForLock(state: LocalState, { grant, io }: GrantContext): Promise<StateLock | undefined> {
  const startMs = performance.now();
  for (;;) {
    const lock = await lockGrant(state, grant);
    if (lock !== undefined || performance.now() - startMs > longestWaitMs) return lock;
    await sleep(pollMs, undefined, { signal: io.signal });
  }
}

async function revoke(tokens: Tokens, options: GrantContext): Promise<boolean> {
  const { issuer, client_id: clientId, origin } = options.grant;
  await using http = openOAuthFetch(await readOAuthNetwork(options));
  const server = await openAuthorizationServer({ fetch: http.fetch, baseUrl: origin, issuer, clientId });
  return await revokeTokens(server, tokens);
}
