import type { AuditEntryWithValues } from './audit.ts';
import type { SqlValue } from './conditions.ts';
import type { Reader } from './engine.ts';

/** Which entries of an account; all of the given filters must hold. */
export interface AuditFilters {
  /** The ID of a person, a key or an app, as the actor. */
  readonly actor?: string | undefined;
  /** The ID of an app or session that a person used. */
  readonly via?: string | undefined;
  readonly record?: string | undefined;
  /** The client that the record belongs to, or belonged to before the change. */
  readonly client?: string | undefined;
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

interface Bounds {
  readonly first: number | null;
  readonly last: number | null;
}

/** Reads entries of an account's log and how many match, in one snapshot per statement. */
export async function readAuditPage(
  reader: Reader,
  request: AuditPageRequest,
): Promise<{ total: number; rows: AuditEntryWithValues[] }> {
  const { accountId, filters, isDescending, limit } = request;
  const values: SqlValue[] = [accountId];
  const conditions = renderFilters(filters, values);
  const isWhole = conditions.length === 0;
  const bounds = isWhole ? await readBounds(reader, accountId) : undefined;
  const source = ['account_id = ?', ...conditions].join(' and ');
  const total =
    bounds === undefined ? await count(reader, source, values) : toCount(bounds.first, bounds.last);
  const start = toStart(request, bounds);
  if (start.seq !== undefined) values.push(start.seq);
  const after = start.seq === undefined ? '' : `and seq ${isDescending ? '<' : '>'} ?`;
  const text = `select page.*, held.salt, held.body from
      (select * from audit_entries where ${source} ${after}
        order by seq ${isDescending ? 'desc' : 'asc'} limit ? offset ?) as page
    left join audit_values as held on held.account_id = page.account_id and held.seq = page.seq
    order by page.seq ${isDescending ? 'desc' : 'asc'}`;
  const rows = await reader.run<AuditEntryWithValues>(text, [...values, limit, start.offset]);
  return { total, rows };
}

/** Positions have no gaps, so the place of any page of a whole log is known. */
function toStart(
  { from, isDescending }: AuditPageRequest,
  bounds: Bounds | undefined,
): { seq: number | undefined; offset: number } {
  if ('after' in from) return { seq: from.after.seq, offset: 0 };
  if (bounds === undefined) return { seq: undefined, offset: from.offset };
  const { first, last } = bounds;
  return { seq: isDescending ? (last ?? 0) + 1 - from.offset : (first ?? 1) - 1 + from.offset, offset: 0 };
}

async function readBounds(reader: Reader, accountId: string): Promise<Bounds> {
  const text = `select (select min(seq) from audit_entries where account_id = ?) as first,
    (select max(seq) from audit_entries where account_id = ?) as last`;
  const [bounds] = await reader.run<Bounds>(text, [accountId, accountId]);
  return bounds ?? { first: null, last: null };
}

function toCount(first: number | null, last: number | null): number {
  return first === null || last === null ? 0 : last - first + 1;
}

async function count(reader: Reader, source: string, values: readonly SqlValue[]): Promise<number> {
  const text = `select count(*) as total from audit_entries where ${source}`;
  const [row] = await reader.run<{ total: number }>(text, values);
  return row?.total ?? 0;
}

function renderFilters(filters: AuditFilters, values: SqlValue[]): string[] {
  const { actor, via, record, client, actions, fromMs, toMs } = filters;
  const conditions: string[] = [];
  const add = (condition: string, ...own: SqlValue[]) => {
    conditions.push(condition);
    values.push(...own);
  };
  if (actor !== undefined && via !== undefined) add('(actor_id = ? or via_id = ?)', actor, via);
  else if (actor !== undefined) add('actor_id = ?', actor);
  else if (via !== undefined) add('via_id = ?', via);
  if (record !== undefined) add('record_id = ?', record);
  if (client !== undefined) add('(client_id = ? or former_client_id = ?)', client, client);
  if (fromMs !== undefined) add('at_ms >= ?', fromMs);
  if (toMs !== undefined) add('at_ms < ?', toMs);
  if (actions !== undefined) {
    const parts = actions.map((one) => ('equals' in one ? 'action = ?' : 'resource = ?'));
    add(`(${parts.join(' or ')})`, ...actions.map((one) => ('equals' in one ? one.equals : one.resource)));
  }
  return conditions;
}
