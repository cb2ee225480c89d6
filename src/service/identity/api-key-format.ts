import { crc32 } from 'node:zlib';
import { type ApiKey, type ApiKeyStatus, apiKeyPrefixes } from '../../contract/api-key.ts';
import { scopes as allScopes, type Scope, scopesWith } from '../../contract/roles.ts';
import type { ApiKeyRow, NamedKeyRow } from '../db/identity/api-keys.ts';

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
