import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Appointment } from '../src/contract/appointment.ts';
import type { Payment } from '../src/contract/payment.ts';

// Serves prepared pages of a year's appointments and of a payment for each, with the version that our service sends,
// so that nearly all the time is the reader's.
const rows = Number(process.argv[2]);
const perPage = 200;
const version = { 'content-type': 'application/json', 'salon-collection-version': '1' };
const lists: Readonly<Record<string, readonly Buffer[]>> = {
  appointments: toPages(toAppointment, rows),
  payments: toPages(toPayment, rows),
  stylists: toPages(
    (index) => ({ id: toId('sty', index), display_name: `Stylist ${index}`, active: true }),
    60,
  ),
};

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
  const pages = lists[pathname.replace('/api/v1/', '')];
  const page = pages?.[Number(searchParams.get('page') ?? 1) - 1];
  response.writeHead(page === undefined ? 404 : 200, version);
  response.end(page ?? '{}');
});
server.keepAliveTimeout = 30_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

function toPages(toRow: (index: number) => object, total: number): readonly Buffer[] {
  return Array.from({ length: Math.ceil(total / perPage) }, (_, index) => {
    const first = index * perPage;
    const data = Array.from({ length: Math.min(perPage, total - first) }, (_row, row) => toRow(first + row));
    return Buffer.from(JSON.stringify({ data, pagination: { page: index + 1, per_page: perPage, total } }));
  });
}

function toAppointment(index: number): Appointment {
  const statuses = [
    'completed',
    'completed',
    'completed',
    'cancelled',
    'no_show',
    'completed',
    'completed',
  ] as const;
  return {
    id: toId('apt', index),
    client_id: toId('cli', (index * 7_919) % 20_000),
    stylist_id: toId('sty', index % 60),
    service: index % 9 === 0 ? 'Cut, wash and finish' : 'Colour',
    start_time: toTime(index, 0),
    duration: 15 * (1 + (index % 8)),
    status: statuses[index % statuses.length] ?? 'completed',
    notes: null,
    cancellation_reason: null,
    created_at: toTime(index, -86_400_000),
    updated_at: toTime(index, 0),
    price: null,
    paid_amount: 0,
  };
}

function toPayment(index: number): Payment {
  return {
    id: toId('pay', index),
    client_id: toId('cli', (index * 7_919) % 20_000),
    appointment_id: index % 50 === 0 ? null : toId('apt', index),
    amount: 1500 + ((index * 7) % 9000),
    currency: 'EUR',
    tip_amount: index % 3 === 0 ? 200 : 0,
    method: 'card',
    status: index % 40 === 0 ? 'failed' : 'completed',
    refunded_amount: index % 90 === 0 ? 1000 : 0,
    reference: null,
    created_at: toTime(index, 3_600_000),
    updated_at: toTime(index, 3_600_000),
  };
}

/** All in 2025. */
function toTime(index: number, laterMs: number): string {
  const stepMs = (360 * 86_400_000) / rows;
  return new Date(Date.UTC(2025, 0, 2) + Math.floor(index * stepMs) + laterMs).toISOString();
}

function toId(prefix: string, index: number): string {
  return `${prefix}_${String(index).padStart(26, '0')}`;
}
