import { SalonError } from '../../contract/errors.ts';
import { scopes as allScopes } from '../../contract/roles.ts';
import type { Database } from '../db/database.ts';
import { type AccessTokenRow, findAccessToken } from '../db/oauth-grants.ts';
import { toHourlyLimit } from '../domain/accounts.ts';
import type { Caller, Environment, Person } from '../domain/context.ts';
import { builtInApp } from './built-in-app.ts';
import { toTokenHash } from './random-token.ts';

const wellFormed = /^slt_[A-Za-z0-9_-]{43}$/;

/**
 * The caller with an access token, with the role that its person has now; undefined for an unknown token.
 * Throws `invalid_token` when it has expired or was revoked.
 */
export async function readAccessToken(
  { database, environment }: { database: Database; environment: Environment },
  token: string,
): Promise<Caller | undefined> {
  if (!wellFormed.test(token)) return undefined;
  const row = await findAccessToken(database.reader, toTokenHash(token));
  if (row === undefined) return undefined;
  if (row.grant_revoked_ms !== null) {
    throw invalidToken(`The access was revoked at ${new Date(row.grant_revoked_ms).toISOString()}.`);
  }
  if (row.expires_ms <= environment.now().getTime()) {
    throw invalidToken(`The access token expired at ${new Date(row.expires_ms).toISOString()}.`);
  }
  return toCaller(row);
}

function toCaller(row: AccessTokenRow): Caller {
  const user = toPerson(row);
  const role = row.grant_id === null ? row.client_role : row.role;
  if (role === null || (row.grant_id !== null && user === null)) {
    throw invalidToken('The person who allowed this access is no longer an active member of the account.');
  }
  const granted = row.scopes?.split(' ') ?? [];
  return {
    account: {
      id: row.account_id,
      name: row.account_name,
      plan: row.plan,
      hourlyLimit: toHourlyLimit(row),
    },
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
