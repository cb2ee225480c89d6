import { crc32 } from 'node:zlib';
import { type ApiKey, type ApiKeyStatus, apiKeyLimits, apiKeyPrefixes } from '../../contract/api-key.ts';
import type { BodyOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import { scopes as allScopes, type Scope, scopesWith } from '../../contract/roles.ts';
import { parseInstant } from '../../time/time.ts';
import type { Writer } from '../db/engine.ts';
import type { ApiKeyRow, NamedKeyRow } from '../db/identity/api-keys.ts';
import { readStylistStatus } from '../db/records/records.ts';
import { checkStylist } from '../domain/stylists.ts';
import { assertValidBody, findUnstorable } from '../domain/validation.ts';
import { normaliseRange } from './address-ranges.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;
const wellFormed = /^slk_(?:test_)?[0-9A-Za-z]{36}$/;
/** Random characters that a list of keys shows. */
const shownLength = 4;

/** Higher bytes would make the first characters of the alphabet more likely than the others. */
const fairBytes = 256 - (256 % alphabet.length);

/** A new key: its prefix, 30 random characters and a checksum of 6. */
export function createKeyText(
  random: (size: number) => Uint8Array,
  { isSandbox }: { readonly isSandbox: boolean },
): string {
  const prefix = isSandbox ? apiKeyPrefixes.sandbox : apiKeyPrefixes.live;
  let text: string = prefix;
  while (text.length < prefix.length + randomLength) {
    for (const byte of random(randomLength)) {
      if (byte < fairBytes && text.length < prefix.length + randomLength) {
        text += alphabet[byte % alphabet.length];
      }
    }
  }
  return text + toChecksum(text);
}

/** Whether a text is meant to be an API key, and no access token. */
export function looksLikeKey(text: string): boolean {
  return text.startsWith(apiKeyPrefixes.live);
}

/** Whether a text can be a key. The checksum finds most typing errors without a query. */
export function isWellFormedKey(text: string): boolean {
  return wellFormed.test(text) && toChecksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** The start of a key, to recognise it by. */
export function toShownPrefix(key: string): string {
  const { live, sandbox } = apiKeyPrefixes;
  return key.slice(0, (key.startsWith(sandbox) ? sandbox : live).length + shownLength);
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

/** The scopes of a key as stored: a list, or null for all of them. */
export function parseStoredScopes(stored: string | null): readonly Scope[] {
  if (stored === null) {
    return allScopes;
  }
  const listed: unknown = JSON.parse(stored);
  return Array.isArray(listed) ? allScopes.filter((scope) => listed.includes(scope)) : [];
}

/** The addresses that a key may be used from; empty for any address. */
export function toAllowedAddresses(stored: string | null): readonly string[] {
  return stored === null ? [] : JSON.parse(stored);
}

/** A key as its account sees it. */
export function toApiKey(row: NamedKeyRow, now: Date): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    role: row.role,
    scopes: scopesWith(row.role, parseStoredScopes(row.scopes)),
    stylist_id: row.stylist_id,
    allowed_addresses: [...toAllowedAddresses(row.allowed_addresses)],
    status: toStatus(row, now),
    created_by: row.created_by,
    created_by_name: row.created_by_name,
    created_at: row.created_at,
    last_used_at: row.last_used_ms === null ? null : new Date(row.last_used_ms).toISOString(),
    expires_at: row.expires_at,
    revoked_at: row.revoked_at,
    replaced_by: row.replaced_by,
    created_with: row.created_with,
    created_keys: row.created_keys,
  };
}

function toStatus({ revoked_at, expires_at }: ApiKeyRow, now: Date): ApiKeyStatus {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && new Date(expires_at) <= now ? 'expired' : 'active';
}

const { nameLength, addresses: maxAddresses } = apiKeyLimits;
/** Control characters, and those that change the direction of a text, so that it looks like another. */
const deceptive = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** A name of spaces and invisible characters alone could not be told apart from another. */
const visible = /[^\p{C}\p{Z}]/u;

/** Checks a body, also one that is a form and has no schema. Throws `validation_failed` with all violations. */
export function parseNewKey(body: BodyOf<'createApiKey'>, now: Date) {
  const { role, scopes, stylist_id: stylistId = null } = body;
  const name = body.name.trim();
  const ranges = body.allowed_addresses?.map((text) => ({ text, range: normaliseRange(text) }));
  const expiresAt = // Milliseconds are as far as a date goes; invalid texts do not pass the schema.
    body.expires_at == null ? body.expires_at : new Date(parseInstant(body.expires_at)?.ms ?? Number.NaN);
  assertValidBody([
    ...findUnstorable(body),
    ...when(!visible.test(name), '/name', 'required', 'must not be blank'),
    ...when(name.length > nameLength, '/name', 'out_of_range', `must have at most ${nameLength} characters`),
    ...when(deceptive.test(name), '/name', 'invalid_format', 'must not contain control characters'),
    ...when(scopes?.length === 0, '/scopes', 'out_of_range', 'must have at least one scope'),
    ...when(role === 'stylist' && stylistId === null, '/stylist_id', 'required', 'is required for this role'),
    ...when(
      role !== 'stylist' && stylistId !== null,
      ...(['/stylist_id', 'invalid_format', 'is only for keys with the role stylist'] as const),
    ),
    ...when(expiresAt != null && !(expiresAt > now), '/expires_at', 'out_of_range', 'must be in the future'),
    ...when(
      (ranges?.length ?? 0) > maxAddresses,
      '/allowed_addresses',
      'out_of_range',
      `must have at most ${maxAddresses} entries`,
    ),
    ...(ranges ?? [])
      .slice(0, maxAddresses)
      .flatMap(({ text, range }, index) =>
        when(
          range === undefined,
          `/allowed_addresses/${index}`,
          'invalid_format',
          `must be an IP address or a range such as 203.0.113.0/24, not "${text}"`,
        ),
      ),
  ]);
  return {
    name,
    role,
    stylistId,
    /** Undefined for the default, null for never. */
    expiresAt,
    scopes: scopes && allScopes.filter((scope) => scopes.includes(scope)),
    /** In normal form; undefined for the default. */
    addresses: ranges && [...new Set(ranges.flatMap(({ range }) => range ?? []))],
  };
}

/** Throws `validation_failed` unless a key's stylist is an active one of the account. */
export async function assertKeyStylist(tx: Writer, accountId: string, id: string | null): Promise<void> {
  if (id === null) return;
  assertValidBody(checkStylist('/stylist_id', await readStylistStatus(tx, { accountId, id })));
}

function when(
  condition: boolean | undefined,
  pointer: string,
  code: Violation['code'],
  problem: string,
): Violation[] {
  return condition ? [{ pointer, code, detail: `${pointer} ${problem}.` }] : [];
}
