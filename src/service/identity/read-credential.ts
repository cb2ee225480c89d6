import { SalonError } from '../../contract/errors.ts';
import { type KeyWithAccount, readKeyByHash } from '../db/api-keys.ts';
import { toCallerAccount } from '../domain/accounts.ts';
import type { Caller, Context, Person } from '../domain/context.ts';
import { readAccessToken } from './access-tokens.ts';
import { createRangeCheck } from './address-ranges.ts';
import { toAllowedAddresses, toScopes } from './api-key-record.ts';
import { isWellFormedKey, looksLikeKey } from './api-key-text.ts';
import { toTokenHash } from './random-token.ts';

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
  if (looksLikeKey(text)) return readApiKey(context, text);
  const token = await readAccessToken(context, text);
  if (token === undefined) throw new SalonError('invalid_token', 'Unknown API key or access token.');
  return { ...token, allows: undefined };
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
  const caller = toCaller(row);
  return {
    caller,
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

function toCaller(row: KeyWithAccount): Caller {
  const expiresAt = row.expires_at === null ? null : new Date(row.expires_at);
  return {
    account: toCallerAccount(row),
    role: row.role,
    scopes: toScopes(row.scopes),
    stylistId: row.stylist_id,
    credential: {
      ...{ kind: 'api_key', id: row.id, name: row.name, expiresAt, creator: toCreator(row) },
      ...(toAllowedAddresses(row.allowed_addresses).length > 0 ? { hasAddresses: true } : {}),
    },
  };
}

function toCreator({ created_by, creator_name, creator_email }: KeyWithAccount): Person | null {
  if (created_by === null) return null;
  return { id: created_by, name: creator_name ?? '', email: creator_email ?? '' };
}
