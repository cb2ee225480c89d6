import type { SalonClient } from '../../client/client.ts';
import { toOrderParameters } from '../../client/pagination/list-query.ts';
import type { PagedList } from '../../client/pagination/paginate.ts';
import type { Appointment } from '../../contract/appointment.ts';
import type { AuditEntry } from '../../contract/audit.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Payment } from '../../contract/payment.ts';
import { accessByRole } from '../../contract/roles.ts';
import { isUnavailable, readStylistNames } from '../people/names.ts';

/** A client's appointments and payments, newest first. */
export interface ClientHistory {
  readonly appointments: RecentRecords<Appointment>;
  /** Undefined if the server does not show them. */
  readonly payments: RecentRecords<Payment> | undefined;
  /** Who changed what, if it was asked for and the server shows it. */
  readonly changes: RecentRecords<AuditEntry> | undefined;
  /** Names of stylists, by ID. */
  readonly stylists: ReadonlyMap<string, string>;
}

/** The newest records of a list. */
export interface RecentRecords<Item> {
  readonly rows: readonly Item[];
  /** How many there are in all; undefined if not known. */
  readonly total: number | undefined;
}

export interface HistoryOptions {
  readonly explain: (text: string) => void;
  /** Whether to read the audit log, too. */
  readonly withChanges: boolean;
}

const maxPages = 2;
const maxChanges = 50;

/** Reads a client's newest appointments and payments with a handful of requests. */
export async function readHistory(
  client: SalonClient,
  id: string,
  { explain, withChanges }: HistoryOptions,
): Promise<ClientHistory> {
  const [appointments, payments, changes, stylists] = await Promise.all([
    readSorted(toOrderParameters('-start_time', client.dialect()), (parameters) =>
      client.appointments.list({ client_id: id }, { parameters, concurrency: 1 }),
    ),
    readPayments(client, id, explain),
    withChanges ? readChanges(client, id, explain) : undefined,
    readStylistNames(client, explain),
  ]);
  return {
    appointments: newestFirst(appointments, ({ start_time }) => start_time),
    payments: payments && newestFirst(payments, ({ created_at }) => created_at),
    changes,
    stylists: new Map((stylists ?? []).map((stylist) => [stylist.id, stylist.name])),
  };
}

async function readPayments(
  client: SalonClient,
  id: string,
  explain: (text: string) => void,
): Promise<RecentRecords<Payment> | undefined> {
  try {
    return await readSorted(toOrderParameters('-created_at', client.dialect()), (parameters) =>
      client.payments.list({ client_id: id }, { parameters, concurrency: 1 }),
    );
  } catch (thrown) {
    if (!isUnavailable(thrown)) throw thrown;
    explain(`${thrown.message} Payments are not shown.`);
    return undefined;
  }
}

/** The service records who is refused the audit log, so the caller's rights are read first. */
async function readChanges(
  client: SalonClient,
  id: string,
  explain: (text: string) => void,
): Promise<RecentRecords<AuditEntry> | undefined> {
  try {
    const { role, scopes } = await client.me();
    const access = accessByRole['audit.read'];
    if (access[role] !== 'all' || !scopes.includes('audit:read')) {
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
  } catch (thrown) {
    if (!isUnavailable(thrown)) throw thrown;
    explain(`${thrown.message} Changes are not shown.`);
    return undefined;
  }
}

/** Asks the server to sort. If it refuses, the first pages are used: sorting locally would need the whole list. */
async function readSorted<Item>(
  order: Readonly<Record<string, string>>,
  list: (parameters: Readonly<Record<string, string>>) => PagedList<Item>,
): Promise<RecentRecords<Item>> {
  try {
    return await readPages(list(order));
  } catch (thrown) {
    if (!(thrown instanceof SalonError) || ![400, 422].includes(thrown.status ?? 0)) throw thrown;
    return readPages(list({}));
  }
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

/** Rows without a valid date keep their place. */
function newestFirst<Item>(
  { rows, total }: RecentRecords<Item>,
  dateOf: (item: Item) => string,
): RecentRecords<Item> {
  return { rows: rows.toSorted((a, b) => Date.parse(dateOf(b)) - Date.parse(dateOf(a)) || 0), total };
}
