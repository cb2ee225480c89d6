import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Appointment } from '../src/contract/appointment.ts';

// Serves prepared pages, so that nearly all the time is the reader's. Each response can be delayed like one from
// another data centre.
const [, , rowsText = '', delayText = ''] = process.argv;
const rows = Number(rowsText);
const delayMs = Number(delayText);
const perPage = 200;
const pages = Array.from({ length: Math.ceil(rows / perPage) }, (_, index) => toPage(index + 1));

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
  const page = pages[Number(searchParams.get('page') ?? 1) - 1];
  const isKnown = pathname === '/api/v1/appointments' && Number(searchParams.get('per_page')) === perPage;
  const [status, body] = isKnown && page !== undefined ? [200, page] : [404, Buffer.from('{}')];
  const answer = () => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  };
  if (delayMs === 0) answer();
  else setTimeout(answer, delayMs);
});
server.keepAliveTimeout = 30_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

function toPage(page: number): Buffer {
  const first = (page - 1) * perPage;
  const data = Array.from({ length: Math.min(perPage, rows - first) }, (_, index) =>
    toAppointment(first + index),
  );
  return Buffer.from(JSON.stringify({ data, pagination: { page, per_page: perPage, total: rows } }));
}

function toAppointment(index: number): Appointment {
  const madeAt = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
  return {
    id: `apt_${String(index).padStart(26, '0')}`,
    client_id: `cli_${String((index * 7_919) % 20_000).padStart(26, '0')}`,
    stylist_id: `sty_${String(index % 60).padStart(26, '0')}`,
    service: index % 9 === 0 ? 'Cut, wash and finish' : 'Colour',
    start_time: new Date(Date.UTC(2026, 5, 1) + index * 900_000).toISOString(),
    duration: 15 * (1 + (index % 8)),
    status: index % 5 === 0 ? 'completed' : 'confirmed',
    notes: index % 50 === 0 ? 'Prefers a "quiet" chair' : null,
    cancellation_reason: null,
    created_at: madeAt,
    updated_at: madeAt,
    price: null,
    paid_amount: 0,
  };
}
