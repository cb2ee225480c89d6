import type { SqlValue } from '../conditions.ts';
import type { Reader } from '../engine.ts';
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
  const total = bounds === undefined ? await count(reader, source) : bounds.last - bounds.first + 1;
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

interface Bounds {
  readonly first: number;
  readonly last: number;
}

/** Positions have no gaps, so the place of any page of a whole log is known. */
function toStart(
  offset: number,
  { isDescending }: AuditPageRequest,
  bounds: Bounds | undefined,
): { seq: number | undefined; offset: number } {
  if (bounds === undefined) return { seq: undefined, offset };
  return { seq: isDescending ? bounds.last + 1 - offset : bounds.first - 1 + offset, offset: 0 };
}

async function readBounds(reader: Reader, accountId: string): Promise<Bounds> {
  const text = `select (select min(seq) from audit_entries where account_id = ?) as first,
    (select max(seq) from audit_entries where account_id = ?) as last`;
  const [row] = await reader.run<Record<keyof Bounds, number | null>>(text, [accountId, accountId]);
  return { first: row?.first ?? 1, last: row?.last ?? 0 };
}

async function count(reader: Reader, { text, values }: Source): Promise<number> {
  const [row] = await reader.run<{ total: number }>(`select count(*) as total ${text}`, values);
  return row?.total ?? 0;
}

/** Each target and the period lead to positions along an index; the actions are looked up in the entries. */
function toSource(accountId: string, { targets, actions, fromMs, toMs }: AuditFilters): Source {
  const selects = targets.map((target) => selectTarget(accountId, target));
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
