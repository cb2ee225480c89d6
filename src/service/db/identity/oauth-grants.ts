import type { Role } from '../../../contract/roles.ts';
import { dayMs, hourMs } from '../../../time/time.ts';
import { type Reader, readFirst, type Writer } from '../engine.ts';
import { toInsert, toMatch, toUpsert } from '../rows.ts';
import type { AccountRow } from './accounts.ts';

/** What a person has allowed an app to do in an account. */
export interface OauthGrantRow {
  id: string;
  account_id: string;
  user_id: string;
  client_id: string;
  /** Separated by spaces. */
  scopes: string;
  /** The address of the browser or device that was connected. */
  address: string | null;
  created_ms: number;
  /** When tokens were last issued. */
  used_ms: number;
  /** When it ends unless the app asks for new tokens before. */
  expires_ms: number;
  revoked_ms: number | null;
}

/** A grant with the names of its app and person. A built-in app has no name in the database. */
export type GrantWithNames = OauthGrantRow & {
  client_name: string | null;
  user_name: string;
  user_email: string;
};

/** An access token with everything that decides what it may do. */
export interface AccessTokenRow {
  readonly expires_ms: number;
  readonly scopes: string | null;
  readonly client_id: string;
  /** Null for the built-in app. */
  readonly client_name: string | null;
  /** The role of client credentials. */
  readonly client_role: Role | null;
  /** Who or what generated the app's secret, and when that ends. Client credentials end with it. */
  readonly secret_by: string | null;
  readonly secret_expires_at: string | null;
  /** Null with client credentials. */
  readonly grant_id: string | null;
  readonly grant_revoked_ms: number | null;
  readonly account_id: string;
  readonly account_name: string;
  /** Those of the salon, as JSON. */
  readonly settings: string | null;
  readonly plan: AccountRow['plan'];
  readonly hourly_limit: number | null;
  readonly user_id: string | null;
  readonly user_name: string | null;
  readonly user_email: string | null;
  /** The role that the person has in the account now; null when the person has left or is deactivated. */
  readonly role: Role | null;
  readonly stylist_id: string | null;
}

export function findAccessToken(reader: Reader, hash: string) {
  const text = `
    select t.expires_ms, t.scopes, t.client_id, c.name as client_name, c.role as client_role, t.grant_id,
      c.secret_by, c.secret_expires_at, g.revoked_ms as grant_revoked_ms, a.id as account_id, a.name as account_name, a.plan, a.hourly_limit, a.settings,
      g.user_id, u.name as user_name, u.email as user_email, m.role, m.stylist_id
    from oauth_tokens as t
    left join oauth_grants as g on g.id = t.grant_id
    left join oauth_clients as c on c.id = t.client_id
    join accounts as a on a.id = coalesce(g.account_id, c.account_id)
    left join users as u on u.id = g.user_id
    left join memberships as m on m.account_id = g.account_id and m.user_id = u.id and m.ended_at is null
    where t.hash = ? and t.model in ('AccessToken', 'ClientCredentials')`;
  return readFirst<AccessTokenRow>(reader, text, [hash]);
}

/** Expired grants stay for a month, and expired tokens for an hour, to tell them from unknown ones. */
export const grantKeptMs = 30 * dayMs;
export const tokenKeptMs = hourMs;
/** How many expired rows each new one deletes. */
const maxDeleted = 8;

export async function insertGrant(tx: Writer, grant: OauthGrantRow): Promise<void> {
  await tx.run(...toInsert('oauth_grants', [grant]));
  const expired = `select id from oauth_grants where expires_ms < ? order by expires_ms limit ${maxDeleted}`;
  await tx.run(`delete from oauth_grants where id in (${expired})`, [grant.created_ms - grantKeptMs]);
}

/** A grant, revoked or not; undefined when there is none. */
export function readGrant(reader: Reader, id: string) {
  return readFirst<OauthGrantRow>(reader, 'select * from oauth_grants where id = ?', [id]);
}

/** A grant whose person is still an active member of the account; undefined when there is none. */
export function readActiveGrant(reader: Reader, id: string) {
  const text = `select g.* from oauth_grants as g
    join users as u on u.id = g.user_id
    join memberships as m on m.account_id = g.account_id and m.user_id = g.user_id and m.ended_at is null
    where g.id = ? and g.revoked_ms is null`;
  return readFirst<OauthGrantRow>(reader, text, [id]);
}

/** Notes that tokens were issued. */
export async function touchGrant(
  tx: Writer,
  { id, used_ms, expires_ms }: Pick<OauthGrantRow, 'id' | 'used_ms' | 'expires_ms'>,
): Promise<void> {
  await tx.run('update oauth_grants set used_ms = ?, expires_ms = ? where id = ?', [used_ms, expires_ms, id]);
}

/** Which grants end: one, or all of a member, a person or an app. */
export type GrantSelection =
  | { readonly id: string }
  | { readonly accountId: string; readonly userId: string }
  | { readonly userId: string }
  | { readonly clientId: string };

/** Ends grants and with them all of their tokens. Returns those that were active. */
export async function revokeGrants(
  tx: Writer,
  selection: GrantSelection,
  nowMs: number,
): Promise<OauthGrantRow[]> {
  const { id, accountId, userId, clientId }: Partial<Record<string, string>> = selection;
  const columns = { id, account_id: accountId, user_id: userId, client_id: clientId };
  const [match, values] = toMatch({ ...columns, revoked_ms: null });
  const text = `update oauth_grants set revoked_ms = ? where ${match} returning *`;
  return tx.run<OauthGrantRow>(text, [nowMs, ...values]);
}

/** An account's active grants, or only those of one person, newest first. */
export function listGrants(
  reader: Reader,
  { accountId, userId, nowMs }: { accountId: string; userId: string | undefined; nowMs: number },
): Promise<GrantWithNames[]> {
  const [match, values] = toMatch({ account_id: accountId, user_id: userId });
  const text = `select g.*, c.name as client_name, u.name as user_name, u.email as user_email
    from (select * from oauth_grants where ${match} and revoked_ms is null and expires_ms > ?) as g
    join users as u on u.id = g.user_id left join oauth_clients as c on c.id = g.client_id
    order by g.created_ms desc, g.id`;
  return reader.run<GrantWithNames>(text, [...values, nowMs]);
}

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

export type StoredToken = OauthTokenRow & { grant_revoked_ms: number | null };

/** Saves a token or code, or replaces it under the same hash. */
export async function saveToken(tx: Writer, row: OauthTokenRow): Promise<void> {
  await tx.run(...toUpsert('oauth_tokens', row, ['hash']));
  const expired = `select hash from oauth_tokens where expires_ms < ? order by expires_ms limit ${maxDeleted}`;
  await tx.run(`delete from oauth_tokens where hash in (${expired})`, [row.created_ms - tokenKeptMs]);
}

export function readToken(reader: Reader, model: OauthModel, hash: string) {
  const text = `select t.*, g.revoked_ms as grant_revoked_ms from oauth_tokens as t
    left join oauth_grants as g on g.id = t.grant_id where t.hash = ? and t.model = ?`;
  return readFirst<StoredToken>(reader, text, [hash, model]);
}

export function readDeviceCode(reader: Reader, userCodeHash: string) {
  const text = 'select * from oauth_tokens where user_code_hash = ?';
  return readFirst<OauthTokenRow>(reader, text, [userCodeHash]);
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
