import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { SalonError } from '../../contract/errors.ts';
import { scopes as everyScope, type Role, type Scope } from '../../contract/roles.ts';
import { insertKey, type KeyWithAccount, readKeyByHash, revokeKey } from '../db/accounts.ts';
import type { Database } from '../db/database.ts';
import type { Writer } from '../db/engine.ts';
import { readStylistStatus } from '../db/stylists.ts';
import { findAccount, toHourlyLimit } from './accounts.ts';
import type { Caller, Environment } from './context.ts';
import { createId, notFound } from './records.ts';

export interface NewApiKey {
  /** Not needed while the database has one account. */
  readonly accountId?: string;
  readonly role: Role;
  readonly name: string;
  /** Narrows what the role may do; every scope when left out. */
  readonly scopes?: readonly Scope[];
  readonly expiresAt?: Date;
  /** Whose calendar it reaches; needed for the role stylist, refused for others. */
  readonly stylistId?: string;
}

/** A key as it is shown, this once: only its hash is kept. */
export interface CreatedApiKey {
  readonly id: string;
  readonly key: string;
  readonly role: Role;
  readonly name: string;
  readonly account_id: string;
  readonly scopes: readonly Scope[];
  readonly stylist_id: string | null;
  readonly expires_at: string | null;
  readonly created_at: string;
}

/** Makes a key. Throws `usage` and `not_found` where the account or the stylist is not one. */
export async function createApiKey(
  database: Database,
  environment: Environment,
  wanted: NewApiKey,
): Promise<CreatedApiKey> {
  const { role, name, scopes, expiresAt } = wanted;
  const key = createKeyText((size) => environment.random(size));
  return database.transaction(async (tx) => {
    const account = await findAccount(tx, wanted.accountId);
    const shown = {
      id: createId('api_key', environment),
      role,
      name,
      account_id: account.id,
      stylist_id: await checkStylist(tx, account.id, wanted),
      expires_at: expiresAt?.toISOString() ?? null,
      created_at: environment.now().toISOString(),
    };
    await insertKey(tx, {
      ...shown,
      hash: toKeyHash(key),
      scopes: scopes === undefined ? null : JSON.stringify(scopes),
      revoked_at: null,
    });
    return { ...shown, key, scopes: scopes ?? everyScope };
  });
}

/** Ends a key from the next request on. Throws `not_found`. */
export async function revokeApiKey(database: Database, environment: Environment, id: string): Promise<void> {
  const found = await database.transaction((tx) => revokeKey(tx, id, environment.now().toISOString()));
  if (!found) {
    throw notFound('api_key', id);
  }
}

/**
 * Who a key belongs to. Throws `invalid_token`, which says why only to a caller that holds a genuine key.
 */
export async function authenticate(
  database: Database,
  environment: Environment,
  key: string,
): Promise<Caller> {
  const row = isWellFormedKey(key) ? await readKeyByHash(database.reader, toKeyHash(key)) : undefined;
  if (row === undefined) {
    throw new SalonError('invalid_token', 'The API key is not known.');
  }
  if (row.revoked_at !== null) {
    throw new SalonError('invalid_token', `The API key was revoked at ${row.revoked_at}.`);
  }
  const expiresAt = row.expires_at === null ? null : new Date(row.expires_at);
  if (expiresAt !== null && expiresAt <= environment.now()) {
    throw new SalonError('invalid_token', `The API key expired at ${row.expires_at}.`);
  }
  return toCaller(row, expiresAt);
}

async function checkStylist(
  tx: Writer,
  accountId: string,
  { role, stylistId }: NewApiKey,
): Promise<string | null> {
  if ((role === 'stylist') !== (stylistId !== undefined)) {
    const message =
      role === 'stylist'
        ? 'A key for a stylist needs to know which one.'
        : `A key for the role ${role} is not bound to a stylist.`;
    throw new SalonError('usage', message, { hint: 'Give --stylist with --role stylist, and only there.' });
  }
  if (stylistId !== undefined && (await readStylistStatus(tx, { accountId, id: stylistId })) === undefined) {
    throw new SalonError('usage', `The account has no stylist ${stylistId}.`, {
      hint: 'Check the ID and the account.',
    });
  }
  return stylistId ?? null;
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
    key: { id: row.id, name: row.name, expiresAt },
  };
}

function toScopes(stored: string | null): readonly Scope[] {
  if (stored === null) {
    return everyScope;
  }
  const listed: unknown = JSON.parse(stored);
  return Array.isArray(listed) ? everyScope.filter((scope) => listed.includes(scope)) : [];
}

const prefix = 'slk_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;
const wellFormed = /^slk_[0-9A-Za-z]{36}$/;

/** Bytes from here up would make the alphabet's first characters likelier than the others. */
const fairBytes = 256 - (256 % alphabet.length);

/** A new key: `slk_`, 30 random characters, and 6 that check the 34 before them. */
export function createKeyText(random: (size: number) => Uint8Array): string {
  let text = prefix;
  while (text.length < prefix.length + randomLength) {
    for (const byte of random(randomLength)) {
      if (byte < fairBytes && text.length < prefix.length + randomLength) {
        text += alphabet[byte % alphabet.length];
      }
    }
  }
  return text + toChecksum(text);
}

/** Whether a text can be a key at all; most typing errors are found without asking the database. */
export function isWellFormedKey(text: string): boolean {
  return wellFormed.test(text) && toChecksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** What is stored of a key: its SHA-256 in hexadecimal. A key is long and random, so nothing slower is needed. */
export function toKeyHash(key: string): string {
  return hash('sha256', key, 'hex');
}

function toChecksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < checksumLength) {
    digits = alphabet[rest % alphabet.length] + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
