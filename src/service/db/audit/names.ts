import type { Reader } from '../engine.ts';
import type { CollectionName } from '../record-rows.ts';

/** A record and what people call it; null if it has no name. */
export interface NamedRow {
  readonly id: string;
  readonly name: string | null;
}

/** Which records of an account. */
interface RecordIds {
  readonly accountId: string;
  readonly ids: readonly string[];
}

/** The records with some IDs, as JSON texts. */
export async function readRecordTexts(
  reader: Reader,
  collection: CollectionName,
  { accountId, ids }: RecordIds,
): Promise<string[]> {
  const text = `select record from ${collection} where account_id = ? and id in (${placesOf(ids)})`;
  const rows = await reader.run<{ record: string }>(text, [accountId, ...ids]);
  return rows.map(({ record }) => record);
}

/** The archives of clients that were merged into others, as JSON texts. */
export async function readArchives(reader: Reader, { accountId, ids }: RecordIds): Promise<string[]> {
  const text = `select archive from merged_clients
    where account_id = ? and archive is not null and id in (${placesOf(ids)})`;
  return (await reader.run<{ archive: string }>(text, [accountId, ...ids])).map(({ archive }) => archive);
}

/** Selects that take the account first, then IDs. People are named if they are or were members. */
const selections = {
  user: `select id, coalesce(nullif(name, ''), email) as name from users
    where exists (select 1 from memberships as m where m.account_id = ? and m.user_id = users.id)`,
  api_key: 'select id, name from api_keys where account_id = ?',
  oauth_client: 'select id, name from oauth_clients where account_id = ?',
  invitation: 'select id, email as name from one_time_links where account_id = ?',
  account: 'select id, name from accounts where id = ?',
  grant: `select id, (select name from oauth_clients as c where c.id = client_id) as name
    from oauth_grants where account_id = ?`,
} as const;

export type NamedKind = keyof typeof selections;

/** Names of records that are not in a list. */
export function readNames(
  reader: Reader,
  kind: NamedKind,
  { accountId, ids }: RecordIds,
): Promise<NamedRow[]> {
  return reader.run<NamedRow>(`${selections[kind]} and id in (${placesOf(ids)})`, [accountId, ...ids]);
}

/** Somebody or something that can act. */
export interface ActorRow {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
}

/** All people, API keys and apps of an account, also former ones. */
export function readActors(reader: Reader, accountId: string): Promise<ActorRow[]> {
  const text = `select id, name, email from users
      where exists (select 1 from memberships as m where m.account_id = ? and m.user_id = users.id)
    union all select id, name, null from api_keys where account_id = ?
    union all select id, name, null from oauth_clients where account_id = ?
    order by name, id`;
  return reader.run<ActorRow>(text, [accountId, accountId, accountId]);
}

/** All stylists and webhooks of an account, as JSON texts. */
export async function readOtherRecords(reader: Reader, accountId: string): Promise<string[]> {
  const text = `select record from stylists where account_id = ?
    union all select record from webhooks where account_id = ?`;
  return (await reader.run<{ record: string }>(text, [accountId, accountId])).map(({ record }) => record);
}

function placesOf(ids: readonly string[]): string {
  return ids.map(() => '?').join(', ');
}
