import { SalonError } from '../../contract/errors.ts';
import { scopes as allScopes, type Role } from '../../contract/roles.ts';
import { type KeyWithAccount, readKeyByHash } from '../db/identity/api-keys.ts';
import { type AccessTokenRow, findAccessToken } from '../db/identity/oauth-grants.ts';
import { toCallerAccount } from '../domain/accounts.ts';
import type { Caller, Context, ServiceUser } from '../domain/context.ts';
import { createRangeCheck } from './address-ranges.ts';
import { isWellFormedKey, looksLikeKey, parseStoredScopes, toAllowedAddresses } from './api-key-format.ts';
import { builtInApp } from './credential-rights.ts';
import { toTokenHash } from './tickets.ts';

/** An API key or access token that the database has. */
export interface KnownCredential {
  readonly caller: Caller;
  /** Whether it may be used from an address; undefined if it may be used from any. */
  readonly allows: ((address: string) => boolean) | undefined;
  /** Why it is refused; undefined for one that is valid now. */
  readonly refusal: SalonError | undefined;
}

/** Reads an API key or access token from the database. Throws `invalid_token` for an unknown one. */
export async function readCredential(
  context: Pick<Context, 'database' | 'environment'>,
  text: string,
): Promise<KnownCredential> {
  return looksLikeKey(text) ? readApiKey(context, text) : readAccessToken(context, text);
}

/** Whether an API key or access token is known and valid. */
export async function isKeyAccepted(
  context: Pick<Context, 'database' | 'environment'>,
  key: string,
): Promise<boolean> {
  try {
    return (await readCredential(context, key)).refusal === undefined;
  } catch (error) {
    if (error instanceof SalonError && error.code === 'invalid_token') return false;
    throw error;
  }
}

async function readApiKey(
  { database, environment }: Pick<Context, 'database' | 'environment'>,
  key: string,
): Promise<KnownCredential> {
  const row = isWellFormedKey(key) ? await readKeyByHash(database.reader, toTokenHash(key)) : undefined;
  if (row === undefined) throw new SalonError('invalid_token', 'Unknown API key.');
  const addresses = toAllowedAddresses(row.allowed_addresses);
  const { id, name, role, stylist_id: stylistId, expires_at: end } = row;
  const expiresAt = end === null ? null : new Date(end);
  return {
    caller: {
      account: toCallerAccount(row),
      role,
      scopes: parseStoredScopes(row.scopes),
      stylistId,
      credential: {
        ...{ kind: 'api_key', id, name, expiresAt, creator: toCreator(row) },
        ...(addresses.length > 0 ? { hasAddresses: true } : {}),
      },
    },
    allows: addresses.length === 0 ? undefined : createRangeCheck(addresses),
    refusal: findRefusal(row, environment.now()),
  };
}

function findRefusal({ revoked_at, expires_at }: KeyWithAccount, now: Date): SalonError | undefined {
  if (revoked_at !== null) {
    return new SalonError('invalid_token', `The API key was revoked at ${revoked_at}.`);
  }
  if (expires_at !== null && new Date(expires_at) <= now) {
    return new SalonError('invalid_token', `The API key expired at ${expires_at}.`);
  }
  return undefined;
}

function toCreator({ created_by, creator_name, creator_email }: KeyWithAccount): ServiceUser | null {
  if (created_by === null) return null;
  return { id: created_by, name: creator_name ?? '', email: creator_email ?? '' };
}

const wellFormed = /^slt_[A-Za-z0-9_-]{43}$/;

/** Reads an access token, with the role that its person has now. */
async function readAccessToken(
  { database, environment }: Pick<Context, 'database' | 'environment'>,
  token: string,
): Promise<KnownCredential> {
  const found = wellFormed.test(token)
    ? await findAccessToken(database.reader, toTokenHash(token))
    : undefined;
  if (found === undefined) throw new SalonError('invalid_token', 'Unknown API key or access token.');
  const { grant_id, secret_expires_at: end } = found;
  const endMs = grant_id === null && end !== null ? Date.parse(end) : Number.POSITIVE_INFINITY;
  const row = { ...found, expires_ms: Math.min(found.expires_ms, endMs) };
  const user = toPerson(row);
  const role = row.grant_id === null ? row.client_role : user && row.role;
  const refusal = findTokenRefusal(row, role, environment.now());
  // What is refused has no rights.
  return { caller: toTokenCaller(row, { role: role ?? 'viewer', user }), allows: undefined, refusal };
}

function findTokenRefusal(
  { grant_revoked_ms, expires_ms }: AccessTokenRow,
  role: Role | null,
  now: Date,
): SalonError | undefined {
  if (grant_revoked_ms !== null) {
    return invalidToken(`The access was revoked at ${new Date(grant_revoked_ms).toISOString()}.`);
  }
  if (expires_ms <= now.getTime()) {
    return invalidToken(`The access token expired at ${new Date(expires_ms).toISOString()}.`);
  }
  if (role !== null) return undefined;
  return invalidToken('The person who authorized this app is no longer an active member of the account.');
}

function toTokenCaller(
  row: AccessTokenRow,
  { role, user }: { role: Role; user: ServiceUser | null },
): Caller {
  const granted = row.scopes?.split(' ') ?? [];
  return {
    account: toCallerAccount(row),
    role,
    scopes: allScopes.filter((scope) => granted.includes(scope)),
    stylistId: row.stylist_id,
    credential: {
      kind: 'token',
      id: row.grant_id ?? row.client_id,
      app: { id: row.client_id, name: row.client_name ?? builtInApp.name },
      user,
      expiresAt: new Date(row.expires_ms),
      ...(user === null ? { secretBy: row.secret_by } : {}),
    },
  };
}

function toPerson({ user_id, user_name, user_email }: AccessTokenRow): ServiceUser | null {
  if (user_id === null || user_name === null || user_email === null) return null;
  return { id: user_id, name: user_name, email: user_email };
}

function invalidToken(message: string): SalonError {
  return new SalonError('invalid_token', message);
}
