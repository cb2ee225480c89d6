import type { Reader, Writer } from '../engine.ts';
import { toUpsert } from '../rows.ts';

/** What the OAuth server stores under a secret: tokens, codes, and requests that wait for a person. */
export type OauthModel =
  | 'AccessToken'
  | 'ClientCredentials'
  | 'RefreshToken'
  | 'AuthorizationCode'
  | 'DeviceCode'
  | 'Interaction';

export interface OauthTokenRow {
  /** SHA-256 of the token, code or request ID, in hexadecimal. */
  hash: string;
  model: OauthModel;
  client_id: string | null;
  /** Null for client credentials and before a person has agreed. */
  grant_id: string | null;
  /** Separated by spaces; null for requests. */
  scopes: string | null;
  /** Refresh tokens: how many came before it. */
  generation: number | null;
  /** SHA-256 of the code that a person types, in hexadecimal. */
  user_code_hash: string | null;
  created_ms: number;
  expires_ms: number;
  /** When it was first used up: codes and refresh tokens. */
  consumed_ms: number | null;
  /** What the OAuth server needs beyond the columns, as JSON. Contains no secrets. */
  payload: string;
}

/** A token or code with the state of its grant. */
export type StoredToken = OauthTokenRow & { grant_revoked_ms: number | null };

/** Expired rows stay for an hour, to tell them from unknown ones; every new one deletes a few of them. */
const keptMs = 3_600_000;
const maxDeleted = 8;

/** Saves a token or code, or replaces it under the same hash. */
export async function saveToken(tx: Writer, row: OauthTokenRow): Promise<void> {
  await tx.run(...toUpsert('oauth_tokens', row, ['hash']));
  const expired = `select hash from oauth_tokens where expires_ms < ? order by expires_ms limit ${maxDeleted}`;
  await tx.run(`delete from oauth_tokens where hash in (${expired})`, [row.created_ms - keptMs]);
}

/** The token or code with a hash; undefined when there is none. */
export async function readToken(
  reader: Reader,
  model: OauthModel,
  hash: string,
): Promise<StoredToken | undefined> {
  const text = `select t.*, g.revoked_ms as grant_revoked_ms from oauth_tokens as t
    left join oauth_grants as g on g.id = t.grant_id where t.hash = ? and t.model = ?`;
  const [row] = await reader.run<StoredToken>(text, [hash, model]);
  return row;
}

/** The device code whose user code has a hash; undefined when there is none. */
export async function readDeviceCode(
  reader: Reader,
  userCodeHash: string,
): Promise<OauthTokenRow | undefined> {
  const [row] = await reader.run<OauthTokenRow>('select * from oauth_tokens where user_code_hash = ?', [
    userCodeHash,
  ]);
  return row;
}

/** Notes what a person has decided about a device. */
export async function updateDeviceCode(
  tx: Writer,
  hash: string,
  { grant_id, scopes, payload }: Pick<OauthTokenRow, 'grant_id' | 'scopes' | 'payload'>,
): Promise<void> {
  const text = 'update oauth_tokens set grant_id = ?, scopes = ?, payload = ? where hash = ?';
  await tx.run(text, [grant_id, scopes, payload, hash]);
}

/** Marks a code as used. Returns whether this was the first use. */
export async function consumeToken(tx: Writer, hash: string, nowMs: number): Promise<boolean> {
  const text =
    'update oauth_tokens set consumed_ms = ? where hash = ? and consumed_ms is null returning hash';
  return (await tx.run(text, [nowMs, hash])).length > 0;
}

export async function deleteToken(tx: Writer, hash: string): Promise<void> {
  await tx.run('delete from oauth_tokens where hash = ?', [hash]);
}

/**
 * Whether a refresh token has been replaced for good: one that came later was used, or another one that was issued in
 * its place. Two can be issued for one, when a response was lost.
 */
export async function isReplaced(
  reader: Reader,
  { grant_id, generation, hash }: Pick<OauthTokenRow, 'grant_id' | 'generation' | 'hash'>,
): Promise<boolean> {
  const text = `select 1 from oauth_tokens where grant_id = ? and model = 'RefreshToken'
    and consumed_ms is not null and generation >= ? and hash <> ? limit 1`;
  return (await reader.run(text, [grant_id, generation, hash])).length > 0;
}
