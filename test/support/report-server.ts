import { json, type MisbehavingServer, openMisbehavingServer, type Received } from './misbehaving-server.ts';

/** The lists of a server; records are sent as they are. */
export interface ReportLists {
  payments?: readonly object[];
  appointments?: readonly object[];
  stylists?: readonly object[];
}

/** A server whose lists a test replaces. It filters by time and counts as the contract says, page by page. */
export async function openReportServer(): Promise<MisbehavingServer & { readonly lists: ReportLists }> {
  const lists: ReportLists = {};
  const server = await openMisbehavingServer((request) => reply(request, lists));
  return { ...server, lists };
}

const middleMs = Date.parse('2026-11-10T10:00:00Z');

function reply({ path, query }: Received, lists: ReportLists) {
  const noun = path.split('/').at(-1) as keyof ReportLists;
  const rows = lists[noun];
  if (rows === undefined) return json({ title: 'Not found', status: 404 }, { status: 404 });
  const field = noun === 'payments' ? 'created_at' : 'start_time';
  const from = Date.parse(
    query.get('created_from') ?? query.get('start_time_from') ?? '0001-01-01T00:00:00Z',
  );
  const to = Date.parse(query.get('created_to') ?? query.get('start_time_to') ?? '9999-01-01T00:00:00Z');
  const matching = rows.filter((row) => {
    const atMs = Date.parse(String((row as Record<string, unknown>)[field]));
    // Only the server knows when a record without a valid time was made.
    const knownMs = Number.isNaN(atMs) ? middleMs : atMs;
    return noun === 'stylists' || (knownMs >= from && knownMs < to);
  });
  const [page, perPage] = [Number(query.get('page') ?? 1), Math.min(7, Number(query.get('per_page') ?? 7))];
  const data = matching.slice((page - 1) * perPage, page * perPage);
  return json({ data, pagination: { page, per_page: perPage, total: matching.length } });
}

/** A payment of 45.00 EUR for the appointment of Mia. */
export const payment = (change: object) => ({
  ...{
    id: 'pay_1',
    client_id: 'cli_1',
    appointment_id: 'apt_1',
    amount: 4500,
    currency: 'EUR',
    tip_amount: 0,
  },
  ...{ method: 'card', status: 'completed', refunded_amount: 0, created_at: '2026-11-10T10:00:00Z' },
  ...change,
});
/** Of Mia and Theo. */
export const paidAppointments = [
  { id: 'apt_1', stylist_id: 'sty_1', service: 'Cut', start_time: '2026-11-10T09:00:00Z', duration: 30 },
  { id: 'apt_2', stylist_id: 'sty_2', service: 'Colour', start_time: '2026-11-10T09:00:00Z', duration: 60 },
  // A deposit, paid long before.
  { id: 'apt_3', stylist_id: 'sty_2', service: 'Colour', start_time: '2027-06-10T09:00:00Z', duration: 60 },
];
export const stylists = [
  { id: 'sty_1', display_name: 'Mia' },
  { id: 'sty_2', display_name: 'Theo' },
];
