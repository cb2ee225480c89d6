import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider';
import type { Reader } from '../db/engine.ts';
import { noSecretHash, type OauthClientRow, readOauthClient } from '../db/identity/oauth-clients.ts';
import {
  consumeToken,
  deleteToken,
  isReplaced,
  type OauthModel,
  type OauthTokenRow,
  readActiveGrant,
  readToken,
  type StoredToken,
  saveToken,
  touchGrant,
} from '../db/identity/oauth-grants.ts';
import { createWindowLimiter } from '../domain/window-limit.ts';
import { builtInApp } from '../identity/credential-rights.ts';
import { endGrants, type GrantEnd } from '../identity/oauth-grants.ts';
import { toTokenHash } from '../identity/tickets.ts';
import { lifetimes, type OauthServer, toRelative, toResource } from './issuer.ts';

/** How long a device waits between two requests, in seconds (RFC 8628). */
export const pollSeconds = 5;
/** A request that is early by less is the network's doing. */
const toleranceMs = 500;
const pollLimit = { burst: 1, intervalMs: pollSeconds * 1000 - toleranceMs };

/**
 * Stores what oidc-provider keeps, in our tables: secrets as hashes, times by the service's clock, resources relative
 * to the issuer. Grants are inserted where a person agrees, so the provider only reads them; it has no sessions.
 */
export function createAdapterFactory(server: OauthServer): (model: string) => Adapter {
  const limitPolls = createWindowLimiter(() => server.environment.now().getTime());
  const mayPoll = (hash: string) => limitPolls({ ...pollLimit, key: hash }) === 0;
  return (model) => {
    switch (model) {
      case 'Client':
        return { ...createEmptyAdapter(), find: (id) => readClientMetadata(server, id) };
      case 'Grant':
        return createGrantAdapter(server);
      case 'AccessToken':
      case 'ClientCredentials':
      case 'RefreshToken':
      case 'AuthorizationCode':
      case 'DeviceCode':
      case 'Interaction':
        return createTokenAdapter(server, model, mayPoll);
      default:
        return createEmptyAdapter();
    }
  };
}

/** For what is never stored, such as the provider's own sessions: people have those of the settings pages. */
function createEmptyAdapter(): Adapter {
  const nothing = async () => undefined;
  return {
    upsert: nothing,
    find: nothing,
    findByUid: nothing,
    findByUserCode: nothing,
    consume: nothing,
    destroy: nothing,
    revokeByGrantId: nothing,
  };
}

function createGrantAdapter(server: OauthServer): Adapter {
  const { database, environment, issuer } = server;
  return {
    ...createEmptyAdapter(),
    async find(id) {
      const grant = await readActiveGrant(database.reader, id);
      if (grant === undefined) return undefined;
      return {
        kind: 'Grant',
        jti: id,
        accountId: grant.user_id,
        clientId: grant.client_id,
        resources: Object.fromEntries(issuer.resources.map((resource) => [resource, grant.scopes])),
        ...toProviderTimes(grant, environment.now()),
      };
    },
    async destroy(id) {
      await endGrant(server, id);
    },
  };
}

function createTokenAdapter(
  server: OauthServer,
  model: OauthModel,
  mayPoll: (hash: string) => boolean,
): Adapter {
  const { database, environment, issuer } = server;
  const nowMs = () => environment.now().getTime();

  const toPayload = async (id: string, row: StoredToken): Promise<AdapterPayload> => {
    const stored: AdapterPayload = JSON.parse(row.payload);
    const isUsed =
      model === 'RefreshToken' ? await isRefused(database.reader, row, nowMs()) : row.consumed_ms !== null;
    return {
      ...stored,
      ...toResource(stored, issuer),
      jti: id,
      ...(isUsed ? { consumed: 1 } : {}),
      ...toProviderTimes(row, environment.now()),
    };
  };

  return {
    ...createEmptyAdapter(),
    async upsert(id, payload, expiresIn = 0) {
      const row = toRow(payload, { id, model, server, expiresIn });
      await database.transaction('service', async (tx) => {
        // The former token works until its successor is used, so the successor of one that was just replaced is refused.
        if (model === 'RefreshToken' && (await isReplaced(tx, row)))
          throw new errors.InvalidGrant('replaced');
        await saveToken(tx, row);
        if (model === 'RefreshToken' && row.grant_id !== null) {
          await touchGrant(tx, {
            id: row.grant_id,
            used_ms: row.created_ms,
            expires_ms: row.created_ms + lifetimes.idle * 1000,
          });
        }
      });
    },
    async find(id) {
      const hash = toTokenHash(id);
      const row = await readToken(database.reader, model, hash);
      if (row === undefined || row.grant_revoked_ms !== null) return undefined;
      const payload = await toPayload(id, row);
      if (model === 'DeviceCode' && row.grant_id === null && payload.error === undefined && !mayPoll(hash)) {
        throw new errors.SlowDown();
      }
      return payload;
    },
    async consume(id) {
      const hash = toTokenHash(id);
      const row = await readToken(database.reader, model, hash);
      // Of two requests with one code, the second finds it used although both have read it as new.
      const isFirst = await database.transaction('service', async (tx) => {
        if (model === 'RefreshToken' && row !== undefined && (await isRefused(tx, row, nowMs())))
          return false;
        return (await consumeToken(tx, hash, nowMs())) || model === 'RefreshToken';
      });
      if (!isFirst) {
        if (row?.grant_id) await endGrant(server, row.grant_id);
        throw new errors.InvalidGrant('already used');
      }
    },
    async destroy(id) {
      await database.transaction('service', (tx) => deleteToken(tx, toTokenHash(id)));
    },
    async revokeByGrantId(grantId) {
      await endGrant(server, grantId);
    },
  };
}

/** The provider ends a grant for an app that asks for it, and when a code or refresh token is shown again. */
async function endGrant(server: OauthServer, id: string): Promise<void> {
  const reason: GrantEnd = Provider.ctx?.oidc.route === 'revocation' ? 'revoked_by_app' : 'token_reused';
  await server.database.transaction('service', (tx) =>
    endGrants(
      tx,
      { environment: server.environment, source: server.source() },
      { selection: { id }, reason },
    ),
  );
}

function toRow(
  { jti: _jti, iat: _iat, exp: _exp, consumed: _consumed, userCode, ...stored }: AdapterPayload,
  { id, model, server, expiresIn }: { id: string; model: OauthModel; server: OauthServer; expiresIn: number },
): OauthTokenRow {
  const nowMs = server.environment.now().getTime();
  return {
    hash: toTokenHash(id),
    model,
    client_id: stored.clientId ?? null,
    grant_id: stored.grantId ?? null,
    scopes: typeof stored['scope'] === 'string' ? stored['scope'] : null,
    generation: model === 'RefreshToken' ? (stored.rotations ?? 0) : null,
    user_code_hash: userCode === undefined ? null : toTokenHash(userCode),
    created_ms: nowMs,
    expires_ms: nowMs + expiresIn * 1000,
    consumed_ms: null,
    payload: JSON.stringify({ ...stored, ...toRelative(stored, server.issuer) }),
  };
}

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** The metadata of a client (RFC 7591) as oidc-provider needs it; undefined when there is none. */
async function readClientMetadata(
  { database, environment }: OauthServer,
  id: string,
): Promise<AdapterPayload | undefined> {
  if (id === builtInApp.id) return builtInMetadata;
  const row = await readOauthClient(database.reader, id);
  if (row === undefined) return undefined;
  const hasExpired = row.secret_expires_at !== null && new Date(row.secret_expires_at) <= environment.now();
  return toMetadata(hasExpired ? { ...row, secret_hash: noSecretHash } : row);
}

/** A loopback redirect URI may have any port (RFC 8252); every other one matches exactly. */
const everyClient = { application_type: 'native', response_modes: ['query'] } as const;

const builtInMetadata: AdapterPayload = {
  ...everyClient,
  client_id: builtInApp.id,
  client_name: builtInApp.name,
  token_endpoint_auth_method: 'none',
  redirect_uris: [...builtInApp.redirectUris],
  response_types: ['code'],
  grant_types: ['authorization_code', deviceGrant, 'refresh_token'],
  scope: builtInApp.scopes.join(' '),
};

function toMetadata(row: OauthClientRow): AdapterPayload {
  const flows: string[] = JSON.parse(row.flows);
  const scopes: string[] = JSON.parse(row.scopes);
  const hasPerson = flows.some((flow) => flow !== 'client_credentials');
  return {
    ...everyClient,
    client_id: row.id,
    client_name: row.name,
    ...(row.secret_hash === null
      ? { token_endpoint_auth_method: 'none' }
      : // Compared with the hash of what a client sends; see `compareClientSecret`.
        { token_endpoint_auth_method: 'client_secret_basic', client_secret: row.secret_hash }),
    redirect_uris: JSON.parse(row.redirect_uris),
    response_types: flows.includes('authorization_code') ? ['code'] : [],
    grant_types: [
      ...flows.map((flow) => (flow === 'device_code' ? deviceGrant : flow)),
      ...(hasPerson ? ['refresh_token'] : []),
    ] as AdapterPayload['grant_types'],
    scope: scopes.join(' '),
  };
}

/**
 * The `iat` and `exp` of a stored row for oidc-provider, which reads the system clock: as far from its now as the row
 * is from the service's.
 */
function toProviderTimes(
  { created_ms, expires_ms }: { created_ms: number; expires_ms: number },
  now: Date,
): { iat: number; exp: number } {
  const providerNow = Math.floor(Date.now() / 1000);
  const toSeconds = (ms: number) => providerNow + Math.ceil((ms - now.getTime()) / 1000);
  return { iat: toSeconds(created_ms), exp: toSeconds(expires_ms) };
}

/** How long a refresh token works after its first use, for a client that was killed before it saved the next one. */
const graceMs = 60_000;

/**
 * Whether a refresh token must be refused: its successor was used, or its grace has ended. Using it then
 * means that the token was copied.
 */
async function isRefused(reader: Reader, row: OauthTokenRow, nowMs: number): Promise<boolean> {
  // A clock that was set back must not lengthen the grace.
  if (row.consumed_ms !== null && Math.abs(nowMs - row.consumed_ms) > graceMs) return true;
  return isReplaced(reader, row);
}
