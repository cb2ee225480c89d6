import { freesSlot } from '../../client/appointment-status.ts';
import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/json-object.ts';
import { toOrderParameters } from '../../client/pagination/list-query.ts';
import type { PagedList } from '../../client/pagination/paginate.ts';
import type { AuditEntry } from '../../contract/audit.ts';
import { describeActor, describeChanges, describeRecord } from '../../contract/describe-audit.ts';
import { isUnavailable, SalonError } from '../../contract/errors.ts';
import { accessByRole } from '../../contract/roles.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import { renderAmount } from '../output/cell.ts';
import { type Column, columnSet } from '../output/columns.ts';
import { renderDocument, type TextSection, type TextStyle } from '../output/document.ts';
import { countStatuses, renderStatusCounts } from '../output/field-words.ts';
import { createTableWriter } from '../output/table.ts';
import { readStylistNames } from '../people/names.ts';

/** A client's appointments and payments, newest first; undefined for what is not asked for or not shown. */
type ClientHistory = Awaited<ReturnType<typeof readHistory>>;

/** The newest records of a list. */
interface RecentRecords<Item> {
  readonly rows: readonly Item[];
  /** How many there are in all; undefined if not known. */
  readonly total: number | undefined;
}

const maxPages = 2;
const maxChanges = 50;

/** Reads a client's newest appointments and payments, `withChanges` also the audit log, with a handful of requests. */
export async function readHistory(
  client: SalonClient,
  id: string,
  { explain, withChanges }: { readonly explain: Explain; readonly withChanges: boolean },
) {
  const [appointments, payments, changes, stylists] = await Promise.all([
    readNewest((parameters) => client.appointments.list({ client_id: id }, { parameters, concurrency: 1 }), {
      order: toOrderParameters('-start_time', client.dialect('appointments')),
      dateOf: (row) => row.start_time,
    }),
    readNewest((parameters) => client.payments.list({ client_id: id }, { parameters, concurrency: 1 }), {
      order: toOrderParameters('-created_at', client.dialect('payments')),
      dateOf: (row) => row.created_at,
    }).catch((thrown) => explainMissing(thrown, 'Payments', explain)),
    withChanges
      ? readChanges(client, id, explain).catch((thrown) => explainMissing(thrown, 'Changes', explain))
      : undefined,
    readStylistNames(client, explain),
  ]);
  const names = new Map((stylists ?? []).map((stylist) => [stylist.id, stylist.name]));
  return { appointments, payments, changes, stylists: names };
}

type Explain = (text: string) => void;

/** Undefined for what the server does not show, once that is said. */
function explainMissing(thrown: unknown, what: string, explain: Explain): undefined {
  if (!isUnavailable(thrown)) throw thrown;
  explain(`${thrown.message} ${what} are not shown.`);
}

/** The service records who is refused the audit log, so the caller's rights are read first. */
async function readChanges(
  client: SalonClient,
  id: string,
  explain: Explain,
): Promise<RecentRecords<AuditEntry> | undefined> {
  const { role, scopes } = await client.me();
  if (accessByRole['audit.read'][role] !== 'all' || !scopes.includes('audit:read')) {
    explain('Only owners and managers can read the audit log, so changes are not shown.');
    return undefined;
  }
  const options = { parameters: { sort: '-created_at' }, limit: maxChanges, concurrency: 1 };
  const rows: AuditEntry[] = [];
  let total: number | undefined;
  for await (const page of client.audit.list({ client: id }, options)) {
    rows.push(...page.rows);
    total = page.total;
  }
  return { rows, total };
}

/** As programs get it. */
export function toHistoryMember({ appointments, payments, changes }: ClientHistory) {
  return {
    appointments: appointments.rows,
    total: appointments.total ?? null,
    counts: countStatuses(appointments.rows),
    payments: payments?.rows ?? null,
    payments_total: payments?.total ?? null,
    changes: changes?.rows ?? null,
    changes_total: changes?.total ?? null,
  };
}

/**
 * Asks the server to sort. If it refuses, the first pages are used: sorting locally would need the whole list. Rows
 * without a valid date keep their place.
 */
async function readNewest<Item>(
  list: (parameters: Readonly<Record<string, string>>) => PagedList<Item>,
  { order, dateOf }: { readonly order: Readonly<Record<string, string>>; dateOf(item: Item): string },
): Promise<RecentRecords<Item>> {
  const { rows, total } = await readPages(list(order)).catch((thrown) => {
    if (!(thrown instanceof SalonError) || ![400, 422].includes(thrown.status ?? 0)) throw thrown;
    return readPages(list({}));
  });
  return { rows: rows.toSorted((a, b) => Date.parse(dateOf(b)) - Date.parse(dateOf(a)) || 0), total };
}

async function readPages<Item>(pages: PagedList<Item>): Promise<RecentRecords<Item>> {
  const rows: Item[] = [];
  let read = 0;
  for await (const page of pages) {
    rows.push(...page.rows);
    read += 1;
    if (read === maxPages) return { rows, total: page.total };
  }
  return { rows, total: rows.length };
}

interface HistoryStyle extends TextStyle {
  readonly clientId: string;
  readonly timeZone: string;
  readonly nowMs: number;
}

/** Appointments shown per section. */
const maxShown = 10;

const { all: columns } = columnSet({
  start_time: 'instant',
  duration: 'minutes',
  service: 'text',
  stylist: 'text',
  status: 'status',
});
/** An upcoming appointment can be moved or cancelled, so its ID is shown. */
const upcomingColumns: readonly Column[] = [
  { key: 'start_time', kind: 'instant' },
  { key: 'service', kind: 'text' },
  { key: 'stylist', kind: 'text' },
  { key: 'duration', kind: 'minutes', optional: true },
  { key: 'status', kind: 'status', optional: true },
  { key: 'id', kind: 'text' },
];

const changeColumns: readonly Column[] = [
  { key: 'created_at', kind: 'instant', heading: 'Time' },
  { key: 'who', kind: 'text' },
  { key: 'action', kind: 'action' },
  { key: 'record', kind: 'text', optional: true },
  { key: 'changes', kind: 'changes' },
];

/** A client's history: totals, payments, upcoming and past appointments, and who changed what. */
export function renderHistory(history: ClientHistory, style: HistoryStyle): string {
  const { appointments, payments, stylists } = history;
  const { total } = appointments;
  const paid = payments === undefined ? [] : renderPayments(payments, style.clientId);
  const changes = toChanges(history, style);
  if (appointments.rows.length === 0 && total === 0)
    return renderDocument([{ text: ['No appointments yet.', ...paid] }, ...changes], style);
  const rows: readonly Fields[] = appointments.rows.map((row) => ({
    ...row,
    stylist: stylists.get(String(row.stylist_id)) ?? String(row.stylist_id),
  }));
  const isInFuture = (row: Fields) => Date.parse(String(row['start_time'])) >= style.nowMs;
  const isUpcoming = (row: Fields) => isInFuture(row) && !freesSlot(row['status']);
  const upcoming = rows.filter(isUpcoming).reverse();
  const earlier = rows.filter((row) => !isUpcoming(row));
  const hasFuture = earlier.some(isInFuture);
  const shown = Math.min(upcoming.length, maxShown) + Math.min(earlier.length, maxShown);
  const left = total === undefined ? undefined : total - shown;
  const command = `salon appointments list --client ${style.clientId} --sort -start_time`;
  const more = left === undefined ? `There may be more: ${command}` : `${renderCount(left)} more: ${command}`;
  const sections = [
    { text: [renderTotal(appointments), ...paid] },
    toSection('Coming up', { rows: upcoming, columns: upcomingColumns }, style),
    toSection(hasFuture ? 'Earlier or cancelled' : 'Earlier', { rows: earlier, columns }, style),
    { text: left === 0 ? [] : [more] },
    ...changes,
  ];
  return renderDocument(sections, style);
}

function renderTotal({ rows, total }: ClientHistory['appointments']): string {
  const statuses = renderStatusCounts(rows);
  if (total === undefined) return `At least ${countOf(rows.length, 'appointments')}: ${statuses || 'none'}.`;
  const part = total === rows.length ? '' : `; the last ${renderCount(rows.length)}`;
  return `${countOf(total, 'appointments')}${part}: ${statuses}.`;
}

/** Totals per currency, and where to find payments that were not read. */
function renderPayments({ rows, total }: RecentRecords<Fields>, clientId: string): readonly string[] {
  const completed = rows.filter(({ status }) => status === 'completed');
  const sums = [...Map.groupBy(completed, ({ currency }) => currency)].map(([currency, own]) => {
    const sum = (key: string) => own.reduce((total, row) => total + (Number(row[key]) || 0), 0);
    const refunded = sum('refunded_amount');
    const paid = `Paid ${renderAmount(sum('amount') + sum('tip_amount'), currency)} in ${countOf(own.length, 'payments')}`;
    return refunded === 0 ? `${paid}.` : `${paid}; ${renderAmount(refunded, currency)} refunded.`;
  });
  if (total !== undefined && total <= rows.length) return sums;
  const rest =
    total === undefined
      ? 'There may be more payments'
      : `Only the last ${renderCount(rows.length)} of ${countOf(total, 'payments')} are counted`;
  return [...sums, `${rest}: salon payments list --client ${clientId}`];
}

/** The newest entries of the audit log, if it was read. */
function toChanges({ changes }: ClientHistory, style: HistoryStyle): readonly TextSection[] {
  if (changes === undefined || changes.rows.length === 0) return [];
  const rows = changes.rows.map((entry) => ({
    ...entry,
    who: describeActor(entry),
    record: entry.record_id === entry.client_id ? '' : describeRecord(entry),
    changes: describeChanges(entry),
  }));
  // Most are changes of the client, who needs no name here.
  const isOwn = rows.every(({ record }) => record === '');
  const shown = isOwn ? changeColumns.filter(({ key }) => key !== 'record') : changeColumns;
  const left = (changes.total ?? rows.length) - Math.min(rows.length, maxShown);
  const more = `${renderCount(left)} more: salon audit --client ${style.clientId}`;
  return [
    toSection(left > 0 ? 'Latest changes' : 'Changes', { rows, columns: shown }, style),
    { text: left > 0 ? [more] : [] },
  ];
}

function toSection(
  title: string,
  { rows, columns: shown }: { readonly rows: readonly Fields[]; readonly columns: readonly Column[] },
  style: HistoryStyle,
): TextSection {
  if (rows.length === 0) return {};
  const block = createTableWriter({ ...style, columns: shown }).rows(rows.slice(0, maxShown));
  return { heading: `${title} (${renderCount(rows.length)})`, block };
}
