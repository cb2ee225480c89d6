import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { SalonError } from '../../contract/errors.ts';
import { scopes as allScopes, type Role, type Scope } from '../../contract/roles.ts';
import { toNameKey } from '../../contract/search-text.ts';
import type { Stylist } from '../../contract/stylist.ts';
import { insertKey, type KeyWithAccount, readKeyByHash, revokeKey } from '../db/accounts.ts';
import type { Database } from '../db/database.ts';
import type { Writer } from '../db/engine.ts';
import { readStylistRecords } from '../db/stylists.ts';
import { findAccount, toHourlyLimit } from './accounts.ts';
import type { Caller, Environment } from './context.ts';
import { createId, notFound } from './records.ts';

export interface NewApiKey {
  /** Optional when the database has one account. */
  readonly accountId?: string;
  readonly role: Role;
  readonly name: string;
  /** Default: all scopes. */
  readonly scopes?: readonly Scope[];
  readonly expiresAt?: Date;
  /**
   * ID, name or email address of the stylist whose calendar the key is limited to. Required with the role stylist,
   * refused with others.
   */
  readonly stylistId?: string;
}

/** A new key. It is shown only once: the database stores its hash. */
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

/** Creates a key. Throws `usage` and `not_found` when the account or the stylist does not exist. */
export async function createApiKey(
  database: Database,
  environment: Environment,
  input: NewApiKey,
): Promise<CreatedApiKey> {
  const { role, name, scopes, expiresAt } = input;
  const key = createKeyText((size) => environment.random(size));
  return database.transaction(async (tx) => {
    const account = await findAccount(tx, input.accountId);
    const shown = {
      id: createId('api_key', environment),
      role,
      name,
      account_id: account.id,
      stylist_id: await checkStylist(tx, account.id, input),
      expires_at: expiresAt?.toISOString() ?? null,
      created_at: environment.now().toISOString(),
    };
    await insertKey(tx, {
      ...shown,
      hash: toKeyHash(key),
      scopes: scopes === undefined ? null : JSON.stringify(scopes),
      revoked_at: null,
    });
    return { ...shown, key, scopes: scopes ?? allScopes };
  });
}

/** Revokes a key at once. Throws `not_found`. */
export async function revokeApiKey(database: Database, environment: Environment, id: string): Promise<void> {
  const exists = await database.transaction((tx) => revokeKey(tx, id, environment.now().toISOString()));
  if (!exists) {
    throw notFound('api_key', id);
  }
}

/** The caller with an API key. Throws `invalid_token`. */
export async function authenticate(
  database: Database,
  environment: Environment,
  key: string,
): Promise<Caller> {
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
        ? 'An API key with the role stylist needs a stylist.'
        : `An API key with the role ${role} cannot be limited to a stylist.`;
    throw new SalonError('usage', message, { hint: 'Use --stylist with --role stylist only.' });
  }
  return stylistId === undefined ? null : findStylistId(tx, accountId, stylistId);
}

/** The stylist with an ID, name or email address. Throws `usage` unless there is exactly one. */
async function findStylistId(tx: Writer, accountId: string, reference: string): Promise<string> {
  const records = await readStylistRecords(tx, accountId);
  const stylists = records.map((record) => JSON.parse(record) as Stylist);
  const wanted = toNameKey(reference);
  const isMeant = ({ id, email, display_name, first_name, last_name }: Stylist) =>
    id === reference ||
    [email, display_name, first_name, `${first_name ?? ''} ${last_name ?? ''}`].some(
      (name) => wanted !== '' && toNameKey(name ?? '') === wanted,
    );
  const [only, ...others] = stylists.filter(isMeant);
  if (only !== undefined && others.length === 0) return only.id;
  const message =
    only === undefined
      ? `The account has no stylist "${reference}".`
      : `${others.length + 1} stylists match "${reference}": ${[only, ...others].map(({ id }) => id).join(', ')}.`;
  throw new SalonError('usage', message, { hint: 'Use the full name, email address or ID of one stylist.' });
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

function toScopes(stored: string | null): readonly Scope[] {
  if (stored === null) {
    return allScopes;
  }
  const listed: unknown = JSON.parse(stored);
  return Array.isArray(listed) ? allScopes.filter((scope) => listed.includes(scope)) : [];
}

const prefix = 'slk_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;
const wellFormed = /^slk_[0-9A-Za-z]{36}$/;

/** Higher bytes would make the first characters of the alphabet more likely than the others. */
const fairBytes = 256 - (256 % alphabet.length);

/** A new key: `slk_`, 30 random characters and a checksum of 6. */
function createKeyText(random: (size: number) => Uint8Array): string {
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

/** Whether a text can be a key. The checksum finds most typing errors without a query. */
export function isWellFormedKey(text: string): boolean {
  return wellFormed.test(text) && toChecksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** The SHA-256 of a key in hexadecimal. Keys are long and random, so a slow hash is not needed. */
function toKeyHash(key: string): string {
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
