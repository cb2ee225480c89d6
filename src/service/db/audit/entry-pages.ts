import { type Reader, readColumn } from '../engine.ts';
import type { CollectionName } from '../record-rows.ts';
import type { SqlValue } from '../rows.ts';
import { type AuditEntryWithValues, type AuditTarget, selectTarget } from './entries.ts';

/** Which entries of an account; all of the given filters must hold. */
export interface AuditFilters {
  readonly targets: readonly AuditTarget[];
  /** Whole actions, or the resource of a family. */
  readonly actions?: readonly ({ readonly equals: string } | { readonly resource: string })[] | undefined;
  readonly fromMs?: number | undefined;
  /** Exclusive. */
  readonly toMs?: number | undefined;
}

export interface AuditPageRequest {
  readonly accountId: string;
  readonly filters: AuditFilters;
  readonly isDescending: boolean;
  /** The page starts after this many entries, or behind an entry. */
  readonly from: { readonly offset: number } | { readonly after: { readonly seq: number } };
  readonly limit: number;
}

/** The entries that match, as what follows `select …`. */
interface Source {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Reads entries of an account's log and how many match. */
export async function readAuditPage(
  reader: Reader,
  request: AuditPageRequest,
): Promise<{ total: number; rows: AuditEntryWithValues[] }> {
  const { accountId, filters, from, isDescending, limit } = request;
  const { targets, actions, fromMs, toMs } = filters;
  const isWhole = targets.length === 0 && (actions ?? fromMs ?? toMs) === undefined;
  const source = toSource(accountId, filters);
  const bounds = isWhole ? await readBounds(reader, accountId) : undefined;
  const [total = 0] = bounds
    ? [bounds.last - bounds.first + 1]
    : await readColumn<number>(reader, `select count(*) ${source.text}`, source.values);
  const start = 'after' in from ? { seq: from.after.seq, offset: 0 } : toStart(from.offset, request, bounds);
  const order = isDescending ? 'desc' : 'asc';
  const after = start.seq === undefined ? '' : `where found.seq ${isDescending ? '<' : '>'} ?`;
  const text = `select e.*, held.salt, held.body from
      (select found.seq from (select seq ${source.text}) as found ${after} order by found.seq ${order} limit ? offset ?) as page
    join audit_entries as e on e.account_id = ? and e.seq = page.seq
    left join audit_values as held on held.account_id = ? and held.seq = page.seq
    order by page.seq ${order}`;
  const rows = await reader.run<AuditEntryWithValues>(text, [
    ...source.values,
    ...(start.seq === undefined ? [] : [start.seq]),
    ...[limit, start.offset, accountId, accountId],
  ]);
  return { total, rows };
}

/** Positions have no gaps, so the place of any page of a whole log is known. */
function toStart(
  offset: number,
  { isDescending }: AuditPageRequest,
  bounds: Awaited<ReturnType<typeof readBounds>> | undefined,
): { seq: number | undefined; offset: number } {
  if (bounds === undefined) return { seq: undefined, offset };
  return { seq: isDescending ? bounds.last + 1 - offset : bounds.first - 1 + offset, offset: 0 };
}

async function readBounds(reader: Reader, accountId: string) {
  const text = `select coalesce((select min(seq) from audit_entries where account_id = ?), 1) as first,
    coalesce((select max(seq) from audit_entries where account_id = ?), 0) as last`;
  const [bounds] = await reader.run<{ first: number; last: number }>(text, [accountId, accountId]);
  return bounds ?? { first: 1, last: 0 };
}

/** Each target and the period lead to positions along an index; the actions are looked up in the entries. */
function toSource(accountId: string, { targets, actions, fromMs, toMs }: AuditFilters): Source {
  const selects: Source[] = targets.map((target) => selectTarget(accountId, target));
  if (fromMs !== undefined || toMs !== undefined) {
    selects.push({
      text: 'select seq from audit_entries where account_id = ? and at_ms >= ? and at_ms < ?',
      values: [accountId, fromMs ?? 0, toMs ?? Number.MAX_SAFE_INTEGER],
    });
  }
  const [only, ...others] = selects;
  if (only !== undefined && others.length === 0 && actions === undefined) {
    return { text: `from (${only.text}) as matching`, values: only.values };
  }
  const conditions = selects.map(({ text }) => `seq in (${text})`);
  if (actions !== undefined) {
    const parts = actions.map((one) => ('equals' in one ? 'action = ?' : 'resource = ?'));
    conditions.push(`(${parts.join(' or ')})`);
  }
  return {
    text: `from audit_entries where ${['account_id = ?', ...conditions].join(' and ')}`,
    values: [
      accountId,
      ...selects.flatMap(({ values }) => values),
      ...(actions ?? []).map((one) => ('equals' in one ? one.equals : one.resource)),
    ],
  };
}

/** A record and what people call it; null if it has no name. */
interface NamedRow {
  readonly id: string;
  readonly name: string | null;
}

interface RecordIds {
  readonly accountId: string;
  readonly ids: readonly string[];
}

export function readTextsByIds(reader: Reader, collection: CollectionName, { accountId, ids }: RecordIds) {
  const text = `select record from ${collection} where account_id = ? and id in (${placesOf(ids)})`;
  return readColumn<string>(reader, text, [accountId, ...ids]);
}

/** The archives of clients that were merged into others, as JSON texts. */
export function readArchives(reader: Reader, { accountId, ids }: RecordIds) {
  const text = `select archive from merged_clients
    where account_id = ? and archive is not null and id in (${placesOf(ids)})`;
  return readColumn<string>(reader, text, [accountId, ...ids]);
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
export function readNames(reader: Reader, kind: NamedKind, { accountId, ids }: RecordIds) {
  return reader.run<NamedRow>(`${selections[kind]} and id in (${placesOf(ids)})`, [accountId, ...ids]);
}

/** All people, API keys and apps of an account, also former ones. */
export function readActors(reader: Reader, accountId: string) {
  const text = `select id, name, email from users
      where exists (select 1 from memberships as m where m.account_id = ? and m.user_id = users.id)
    union all select id, name, null from api_keys where account_id = ?
    union all select id, name, null from oauth_clients where account_id = ?
    order by name, id`;
  type Actor = { id: string; name: string; email: string | null };
  return reader.run<Actor>(text, [accountId, accountId, accountId]);
}

/** All stylists and webhooks of an account, as JSON texts. */
export function readOtherRecords(reader: Reader, accountId: string) {
  const text = `select record from stylists where account_id = ?
    union all select record from webhooks where account_id = ?`;
  return readColumn<string>(reader, text, [accountId, accountId]);
}

function placesOf(ids: readonly string[]): string {
  return ids.map(() => '?').join(', ');
}
