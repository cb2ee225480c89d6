import type { SalonClient } from '../../client/client.ts';
import type { PagedList } from '../../client/pagination/paginate.ts';
import type { Appointment } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Payment } from '../../contract/payment.ts';
import { isUnseen, readStylists } from '../people/names.ts';

/** What a salon remembers of a client, the newest first. */
export interface ClientHistory {
  readonly appointments: Remembered<Appointment>;
  /** Undefined where the server does not show them. */
  readonly payments: Remembered<Payment> | undefined;
  /** Names of stylists, by identifier. */
  readonly stylists: ReadonlyMap<string, string>;
}

/** Records of one kind, as far as they were read. */
export interface Remembered<Item> {
  readonly rows: readonly Item[];
  /** How many there are; undefined where the server does not say and not all were read. */
  readonly total: number | undefined;
}

/** However long somebody has been coming, no more pages are read of each list. */
const mostPages = 2;

/** Reads a client's newest appointments and payments, with a handful of requests. */
export async function readHistory(
  client: SalonClient,
  id: string,
  explain: (text: string) => void,
): Promise<ClientHistory> {
  const [appointments, payments, stylists] = await Promise.all([
    readAppointments(client, id),
    readPayments(client, id, explain),
    readStylists(client, explain),
  ]);
  return {
    appointments: newestFirst(appointments, ({ start_time }) => start_time),
    payments: payments && newestFirst(payments, ({ created_at }) => created_at),
    stylists: new Map((stylists ?? []).map((stylist) => [stylist.id, stylist.name])),
  };
}

function readAppointments(client: SalonClient, id: string): Promise<Remembered<Appointment>> {
  return readSorted('-start_time', (parameters) =>
    client.appointments.list({ client_id: id }, { parameters, concurrency: 1 }),
  );
}

async function readPayments(
  client: SalonClient,
  id: string,
  explain: (text: string) => void,
): Promise<Remembered<Payment> | undefined> {
  try {
    return await readSorted('-created_at', (parameters) =>
      client.payments.list({ client_id: id }, { parameters, concurrency: 1 }),
    );
  } catch (thrown) {
    if (!isUnseen(thrown)) throw thrown;
    explain(`${thrown.message} What was paid is not shown.`);
    return undefined;
  }
}

/** Sends the order as it is: where a server passes over it, sorting the whole list would cost more than it is worth. */
async function readSorted<Item>(
  sort: string,
  list: (parameters: Readonly<Record<string, string>>) => PagedList<Item>,
): Promise<Remembered<Item>> {
  try {
    return await readPages(list({ sort }));
  } catch (thrown) {
    if (!(thrown instanceof SalonError) || thrown.code !== 'invalid_parameter') throw thrown;
    return readPages(list({}));
  }
}

async function readPages<Item>(pages: PagedList<Item>): Promise<Remembered<Item>> {
  const rows: Item[] = [];
  let read = 0;
  for await (const page of pages) {
    rows.push(...page.rows);
    read += 1;
    if (read === mostPages) return { rows, total: page.total };
  }
  return { rows, total: rows.length };
}

function newestFirst<Item>(
  { rows, total }: Remembered<Item>,
  instantOf: (item: Item) => string,
): Remembered<Item> {
  return { rows: rows.toSorted((a, b) => compareInstants(instantOf(b), instantOf(a))), total };
}

/** Instants that cannot be read stand where they are. */
function compareInstants(a: string, b: string): number {
  return Date.parse(a) - Date.parse(b) || 0;
}
