import type { SalonClient } from '../../client/client.ts';
import type { Walk } from '../../client/walk/walk.ts';
import type { Appointment } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Payment } from '../../contract/payment.ts';
import { isUnseen, readStylists } from '../calendar/read-stylists.ts';

/** What a salon remembers of a client, the newest first. */
export interface ClientHistory {
  /** As far as they were read. */
  readonly appointments: readonly Appointment[];
  /** How many there are, where the server says. */
  readonly total: number | undefined;
  /** Undefined where the server does not show them. */
  readonly payments: readonly Payment[] | undefined;
  /** Names of stylists, by identifier. */
  readonly stylists: ReadonlyMap<string, string>;
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
    appointments: appointments.rows.sort((a, b) => compareInstants(b.start_time, a.start_time)),
    total: appointments.total,
    payments,
    stylists: new Map((stylists ?? []).map((stylist) => [stylist.id, stylist.name])),
  };
}

async function readAppointments(client: SalonClient, id: string): Promise<Read<Appointment>> {
  const list = (parameters: Readonly<Record<string, string>>) =>
    client.appointments.list({ client_id: id }, { parameters, concurrency: 1 });
  try {
    // Sent as it is: where a server passes over it, sorting the whole list would cost more than it is worth.
    return await readPages(list({ sort: '-start_time' }));
  } catch (thrown) {
    if (!(thrown instanceof SalonError) || thrown.code !== 'invalid_parameter') throw thrown;
    return readPages(list({}));
  }
}

async function readPayments(
  client: SalonClient,
  id: string,
  explain: (text: string) => void,
): Promise<readonly Payment[] | undefined> {
  try {
    const list = client.payments.list({ client_id: id }, { concurrency: 1 });
    const { rows } = await readPages(list);
    return rows.sort((a, b) => compareInstants(b.created_at, a.created_at));
  } catch (thrown) {
    if (!isUnseen(thrown)) throw thrown;
    explain(`${thrown.message} What was paid is not shown.`);
    return undefined;
  }
}

interface Read<T> {
  readonly rows: T[];
  readonly total: number | undefined;
}

async function readPages<T>(pages: Walk<T>): Promise<Read<T>> {
  const rows: T[] = [];
  let total: number | undefined;
  let read = 0;
  for await (const page of pages) {
    rows.push(...page.rows);
    total = page.total;
    read += 1;
    if (read === mostPages) return { rows, total };
  }
  return { rows, total: total ?? rows.length };
}

/** Instants that cannot be read stand where they are. */
function compareInstants(a: string, b: string): number {
  return Date.parse(a) - Date.parse(b) || 0;
}
