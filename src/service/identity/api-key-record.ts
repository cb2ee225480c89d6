import type { ApiKey, ApiKeyStatus } from '../../contract/api-key.ts';
import { scopes as allScopes, type Scope } from '../../contract/roles.ts';
import type { ApiKeyRow, NamedKeyRow } from '../db/identity/api-keys.ts';

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
    scopes: [...parseStoredScopes(row.scopes)],
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
