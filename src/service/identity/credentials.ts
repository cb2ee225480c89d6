import { SalonError } from '../../contract/errors.ts';
import { type KeyWithAccount, readKeyByHash } from '../db/api-keys.ts';
import { toHourlyLimit } from '../domain/accounts.ts';
import type { Caller, Context } from '../domain/context.ts';
import { readAccessToken } from './access-tokens.ts';
import { createRangeCheck } from './address-ranges.ts';
import { toAllowedAddresses, toScopes } from './api-key-record.ts';
import { isWellFormedKey, looksLikeKey, toKeyHash } from './api-key-text.ts';
import { openKeyUses } from './key-uses.ts';

type Surroundings = Pick<Context, 'database' | 'environment'>;

/** An accepted API key or access token. */
export interface AcceptedCredential {
  readonly caller: Caller;
  /** Whether it may be used from an address; undefined if it may be used from any. */
  readonly allows: ((address: string) => boolean) | undefined;
}

/** Reads the credentials of requests. */
export interface Credentials {
  /** The caller with an API key or access token. Throws `invalid_token` and `address_not_allowed`. */
  read(text: string, address: string | null): Promise<Caller>;
  /** Saves when keys were last used. */
  close(): Promise<void>;
}

/** Credentials kept at most. */
const maxKept = 1000;

/** Keeps accepted credentials until any process writes to the database, so that a revoked one is refused at once. */
export function openCredentials(surroundings: Surroundings): Credentials {
  const { database, environment } = surroundings;
  const uses = openKeyUses(surroundings);
  const kept = new Map<string, AcceptedCredential>();
  let version: number | undefined;

  async function find(text: string): Promise<AcceptedCredential> {
    const current = database.readDataVersion();
    if (current !== version || kept.size >= maxKept) {
      kept.clear();
      version = current;
    }
    const known = kept.get(text);
    if (known !== undefined && !isExpired(known.caller, environment.now())) return known;
    const accepted = await readCredential(surroundings, text);
    // A commit during the read may have changed the credential.
    if (database.readDataVersion() === current) kept.set(text, accepted);
    return accepted;
  }

  return {
    async read(text, address) {
      const { caller, allows } = await find(text);
      const { credential } = caller;
      if (allows !== undefined && (address === null || !allows(address))) {
        const from = address ?? 'an unknown address';
        throw new SalonError('address_not_allowed', `This API key may not be used from ${from}.`);
      }
      if (credential.kind === 'api_key') uses.note(credential.id);
      return caller;
    },
    close: uses.close,
  };
}

/** Reads an API key or access token from the database. Throws `invalid_token`. */
export async function readCredential(surroundings: Surroundings, text: string): Promise<AcceptedCredential> {
  if (looksLikeKey(text)) return readApiKey(surroundings, text);
  const caller = await readAccessToken(surroundings, text);
  if (caller === undefined) throw new SalonError('invalid_token', 'Unknown API key or access token.');
  return { caller, allows: undefined };
}

async function readApiKey({ database, environment }: Surroundings, key: string): Promise<AcceptedCredential> {
  const row = isWellFormedKey(key) ? await readKeyByHash(database.reader, toKeyHash(key)) : undefined;
  if (row === undefined) {
    throw new SalonError('invalid_token', 'Unknown API key.');
  }
  if (row.revoked_at !== null) {
    throw new SalonError('invalid_token', `The API key was revoked at ${row.revoked_at}.`);
  }
  const expiresAt = row.expires_at === null ? null : new Date(row.expires_at);
  if (expiresAt !== null && expiresAt <= environment.now()) {
    throw new SalonError('invalid_token', `The API key expired at ${row.expires_at}.`);
  }
  const addresses = toAllowedAddresses(row.allowed_addresses);
  return {
    caller: toCaller(row, expiresAt),
    allows: addresses.length === 0 ? undefined : createRangeCheck(addresses),
  };
}

function toCaller(row: KeyWithAccount, expiresAt: Date | null): Caller {
  return {
    account: {
      id: row.account_id,
      name: row.account_name,
      plan: row.plan,
      hourlyLimit: toHourlyLimit(row),
    },
    role: row.role,
    scopes: toScopes(row.scopes),
    stylistId: row.stylist_id,
    credential: { kind: 'api_key', id: row.id, name: row.name, expiresAt, creator: null },
  };
}

function isExpired({ credential }: Caller, now: Date): boolean {
  const expiresAt = 'expiresAt' in credential ? credential.expiresAt : null;
  return expiresAt !== null && expiresAt <= now;
}
