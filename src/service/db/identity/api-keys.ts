import type { ApiKeyStatus } from '../../../contract/api-key.ts';
import type { Role } from '../../../contract/roles.ts';
import { type Reader, readColumn, readFirst, type Writer } from '../engine.ts';
import { type SqlValue, toInsert } from '../rows.ts';
import type { AccountRow } from './accounts.ts';
import { noSecretHash } from './oauth-clients.ts';

export interface ApiKeyRow {
  id: string;
  account_id: string;
  /** SHA-256 of the key, in hexadecimal. */
  hash: string;
  name: string;
  role: Role;
  /** A JSON list, or null for all scopes. */
  scopes: string | null;
  stylist_id: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  created_at: string;
  /** The start of the key; null for keys made before it was kept. */
  prefix: string | null;
  /** The user who created it; null for keys of the operator. */
  created_by: string | null;
  /** A JSON list of addresses and ranges; null for any address. */
  allowed_addresses: string | null;
  last_used_ms: number | null;
  /** From creation to expiry, before a roll shortened it; null for keys that do not expire. */
  lifetime_ms: number | null;
  /** The key that it was rolled into. */
  replaced_by: string | null;
  /** The API key, grant or OAuth client that created it, and that it ends with; null for people and the operator. */
  created_with: string | null;
}

export type KeyWithAccount = Pick<
  ApiKeyRow,
  | 'id'
  | 'account_id'
  | 'name'
  | 'role'
  | 'scopes'
  | 'stylist_id'
  | 'expires_at'
  | 'revoked_at'
  | 'allowed_addresses'
  | 'created_by'
> &
  Pick<AccountRow, 'plan' | 'hourly_limit'> & {
    readonly account_name: string;
    /** Those of the salon, as JSON. */
    readonly settings: string | null;
    /** Null for keys of the operator. */
    readonly creator_name: string | null;
    readonly creator_email: string | null;
  };

/** A key with the name of its creator, and how many valid keys and secrets it created, directly or not. */
export type NamedKeyRow = ApiKeyRow & {
  readonly created_by_name: string | null;
  readonly created_keys: number;
};

/** A page of an account's keys, oldest first. */
export interface ApiKeyPageRequest {
  readonly accountId: string;
  readonly statuses: readonly ApiKeyStatus[];
  /** RFC 3339 in UTC with milliseconds, as `expires_at` is stored. */
  readonly now: string;
  readonly from: { readonly offset: number } | { readonly after: { readonly value: number | string } };
  /** By default all. */
  readonly limit?: number;
}

/** Which keys to end: those that a user created, or those limited to a stylist. */
export type KeyOwner = { readonly accountId: string } & (
  | { readonly userId: string }
  | { readonly stylistId: string }
);

export function readKeyByHash(reader: Reader, hash: string) {
  const text = `select k.id, k.account_id, k.name, k.role, k.scopes, k.stylist_id, k.expires_at, k.revoked_at,
      k.allowed_addresses, k.created_by, a.name as account_name, a.plan, a.hourly_limit, a.settings,
      u.name as creator_name, u.email as creator_email
    from api_keys as k join accounts as a on a.id = k.account_id left join users as u on u.id = k.created_by
    where k.hash = ?`;
  return readFirst<KeyWithAccount>(reader, text, [hash]);
}

/** A key, grant or OAuth client, and the keys and clients that it created. `coalesce` has the collation of a column. */
const createdBy = (account: string, id: string) => `with recursive created (account_id, id) as (
  select a.id, coalesce(${id}, a.id) from accounts as a where a.id = ${account}
  union select c.account_id, coalesce(made.id, app.id)
    from created as c cross join (select 0 as is_app union all select 1) as kind
    left join api_keys as made on is_app = 0 and made.account_id = c.account_id and made.created_with = c.id
    left join oauth_clients as app on is_app = 1 and app.account_id = c.account_id and app.secret_by = c.id
    where coalesce(made.id, app.id) is not null)`;

/** The ID of a key, grant or OAuth client, and those of the keys and clients that it created, directly or not. */
export function readCreated(reader: Reader, { accountId, id }: { accountId: string; id: string }) {
  return readColumn<string>(reader, `${createdBy('?', '?')} select id from created`, [id, accountId]);
}

/** Takes the current time first. */
const selection = `select k.*, (select coalesce(nullif(name, ''), email) from users where users.id = k.created_by)
    as created_by_name,
  (${createdBy('k.account_id', 'k.id')} select count(*)
    from created left join api_keys as c on c.id = created.id left join oauth_clients as o on o.id = created.id
    where created.id <> k.id and c.revoked_at is null and coalesce(o.secret_hash, '') <> '${noSecretHash}'
      and coalesce(c.expires_at, o.secret_expires_at, '9999') > ?) as created_keys
  from api_keys as k`;

/** One of the account's keys; undefined when there is none. Without `now`, it counts expired keys that it created. */
export function readKey(
  reader: Reader,
  { accountId, id, now = '' }: { accountId: string; id: string; now?: string },
) {
  return readFirst<NamedKeyRow>(reader, `${selection} where account_id = ? and id = ?`, [now, accountId, id]);
}

export async function readAccountOfKey(reader: Reader, id: string): Promise<string | undefined> {
  return (await readColumn<string>(reader, 'select account_id from api_keys where id = ?', [id]))[0];
}

const statusConditions: Readonly<Record<ApiKeyStatus, { readonly text: string; readonly times: number }>> = {
  active: { text: 'revoked_at is null and (expires_at is null or expires_at > ?)', times: 1 },
  expired: { text: 'revoked_at is null and expires_at <= ?', times: 1 },
  revoked: { text: 'revoked_at is not null', times: 0 },
};

/** Reads a page of an account's keys, and how many there are in total. */
export async function readKeyPage(
  reader: Reader,
  { accountId, statuses, now, from, limit = Number.MAX_SAFE_INTEGER }: ApiKeyPageRequest,
): Promise<{ total: number; rows: NamedKeyRow[] }> {
  const wanted = statuses.map((status) => statusConditions[status]);
  const values: SqlValue[] = [accountId, ...wanted.flatMap(({ times }) => Array(times).fill(now))];
  const source = `where account_id = ? and (${wanted.map(({ text }) => `(${text})`).join(' or ')})`;
  const [total = 0] = await readColumn<number>(reader, `select count(*) from api_keys ${source}`, values);
  const [place, ends] =
    'after' in from
      ? ['and id > ? order by id limit ?', [from.after.value, limit]]
      : ['order by id limit ? offset ?', [limit, from.offset]];
  const rows = await reader.run<NamedKeyRow>(`${selection} ${source} ${place}`, [now, ...values, ...ends]);
  return { total, rows };
}

export async function countActiveKeys(reader: Reader, accountId: string, now: string): Promise<number> {
  const text = `select count(*) from api_keys where account_id = ? and ${statusConditions.active.text}`;
  const [total = 0] = await readColumn<number>(reader, text, [accountId, now]);
  return total;
}

export async function insertKey(tx: Writer, key: ApiKeyRow): Promise<void> {
  await tx.run(...toInsert('api_keys', [key]));
}

/** Revokes a key; the first revocation counts. Returns whether this was it. */
export async function revokeKey(tx: Writer, id: string, at: string): Promise<boolean> {
  const text = 'update api_keys set revoked_at = ? where id = ? and revoked_at is null returning id';
  return (await tx.run(text, [at, id])).length > 0;
}

/** Lets a key expire because another one replaces it, and what it created with it at the latest. */
export async function replaceKey(
  tx: Writer,
  { account_id, id }: Pick<ApiKeyRow, 'account_id' | 'id'>,
  { replacedBy, expiresAt }: { readonly replacedBy: string; readonly expiresAt: string },
): Promise<void> {
  const text = 'update api_keys set replaced_by = ?, expires_at = ? where id = ?';
  await tx.run(text, [replacedBy, expiresAt, id]);
  const shorten = (table: string, column: string) =>
    `update ${table} set ${column} = ? where id = ? and (${column} is null or ${column} > ?)`;
  for (const created of await readCreated(tx, { accountId: account_id, id })) {
    const values = [expiresAt, created, expiresAt];
    await tx.run(shorten('api_keys', 'expires_at'), values);
    await tx.run(shorten('oauth_clients', 'secret_expires_at'), values);
  }
}

/** The keys of a user or a stylist that are not revoked yet. */
export function readOwnedKeys(tx: Writer, owner: KeyOwner): Promise<ApiKeyRow[]> {
  const [column, value] =
    'userId' in owner ? (['created_by', owner.userId] as const) : (['stylist_id', owner.stylistId] as const);
  const text = `select * from api_keys where account_id = ? and ${column} = ? and revoked_at is null order by id`;
  return tx.run(text, [owner.accountId, value]);
}

/** Saves when keys were last used, in Unix milliseconds by ID. Another process may have saved a later use. */
export async function saveLastUsed(tx: Writer, uses: ReadonlyMap<string, number>): Promise<void> {
  const text = `update api_keys set last_used_ms = ? where id = ? and (last_used_ms is null or last_used_ms < ?)`;
  // In one order, so that processes do not wait for each other.
  for (const [id, ms] of [...uses].sort()) await tx.run(text, [ms, id, ms]);
}
