import { SalonError } from '../../contract/errors.ts';
import { scopes as allScopes, type Role } from '../../contract/roles.ts';
import type { Database } from '../db/database.ts';
import { type AccessTokenRow, findAccessToken } from '../db/oauth-grants.ts';
import { toCallerAccount } from '../domain/accounts.ts';
import type { Caller, Environment, Person } from '../domain/context.ts';
import { builtInApp } from './built-in-app.ts';
import { toTokenHash } from './random-token.ts';

const wellFormed = /^slt_[A-Za-z0-9_-]{43}$/;

/** An access token that the database has. */
export interface KnownAccessToken {
  /** With the role that its person has now. */
  readonly caller: Caller;
  /** Why it is refused; undefined for one that is valid now. */
  readonly refusal: SalonError | undefined;
}

/** Reads an access token; undefined for an unknown one. */
export async function readAccessToken(
  { database, environment }: { database: Database; environment: Environment },
  token: string,
): Promise<KnownAccessToken | undefined> {
  if (!wellFormed.test(token)) return undefined;
  const row = await findAccessToken(database.reader, toTokenHash(token));
  if (row === undefined) return undefined;
  const user = toPerson(row);
  const role = row.grant_id === null ? row.client_role : user && row.role;
  const refusal = findRefusal(row, role, environment.now());
  // What is refused has no rights.
  return { caller: toCaller(row, { role: role ?? 'viewer', user }), refusal };
}

function findRefusal(
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

function toCaller(row: AccessTokenRow, { role, user }: { role: Role; user: Person | null }): Caller {
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
    },
  };
}

function toPerson({ user_id, user_name, user_email }: AccessTokenRow): Person | null {
  if (user_id === null || user_name === null || user_email === null) return null;
  return { id: user_id, name: user_name, email: user_email };
}

function invalidToken(message: string): SalonError {
  return new SalonError('invalid_token', message);
}
