import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Load, measureRate, toGet } from './load.ts';
import { renderRates } from './render-rates.ts';
import { openFolder, startServer } from './start-server.ts';

// Requests per second of the service and, in turn, of a minimal handler over SQLite. `--beside <checkout>` measures another
// checkout's service instead of that handler.
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    beside: { type: 'string' },
  },
});
const rows = Number(values.rows);
const rounds = Number(values.rounds);
const durationMs = Number(values.seconds) * 1000;
const perPage = 50;
const lastPage = Math.ceil(rows / perPage);
const bareRows = 100_000;

interface Salon {
  readonly port: number;
  readonly key: string;
  readonly seedMs: number;
}
type NamedLoad = Load & { readonly name: string };

using folder = openFolder();
using ours = startServer('salon-service.ts', [join(folder.path, 'salon.db'), String(rows)]);
const [salon] = (await once(ours.process, 'message')) as [Salon];
const sample = await readSample(salon);
using reference =
  values.beside === undefined
    ? startServer('bare-service.ts', [join(folder.path, 'bare.db'), String(bareRows)])
    : startServer('salon-service.ts', [join(folder.path, 'beside.db'), String(rows)], values.beside);
const [started] = (await once(reference.process, 'message')) as [number | Salon];
const loads: readonly (NamedLoad & { readonly beside: number })[] =
  typeof started === 'number' ? besideBare(started) : await besideCheckout(started);

function besideBare(port: number) {
  const ofSalon = toLoads('salon', salon, sample);
  return [
    { name: 'bare, first page', beside: 0, port, toRequest: () => toGet(`/?page=1&per_page=${perPage}`) },
    { name: 'bare, create', beside: 1, port, toRequest: () => toPost('/', sample()) },
    ...ofSalon.map((load) => ({ ...load, beside: load.name.includes('page') ? 0 : 1 })),
  ];
}

async function besideCheckout(other: Salon) {
  const theirs = toLoads(values.beside ?? '', other, await readSample(other));
  const ofSalon = toLoads('salon', salon, sample);
  return theirs.flatMap((load, index) => [
    { ...load, beside: index * 2 },
    ...ofSalon.slice(index, index + 1).map((own) => ({ ...own, beside: index * 2 })),
  ]);
}

function toLoads(name: string, { port, key }: Salon, booking: () => string): readonly NamedLoad[] {
  const toPage = (page: number) => toGet(`/api/v1/appointments?page=${page}&per_page=${perPage}`, key);
  const path = '/api/v1/appointments';
  return [
    {
      name: `${name}, random page`,
      port,
      toRequest: () => toPage(1 + Math.floor(Math.random() * lastPage)),
    },
    { name: `${name}, first page`, port, toRequest: () => toPage(1) },
    { name: `${name}, last page`, port, toRequest: () => toPage(lastPage) },
    { name: `${name}, create`, port, toRequest: () => toPost(path, booking(), { key }) },
    {
      name: `${name}, create once`,
      port,
      toRequest: () => toPost(path, booking(), { key, idempotencyKey: randomUUID() }),
    },
  ];
}

const rates: number[][] = loads.map(() => []);
for (let round = -1; round < rounds; round++) {
  const inTurn = [...loads.entries()];
  // What comes first in one round comes last in the next.
  for (const [index, load] of round % 2 === 0 ? inTurn : inTurn.reverse()) {
    const rate = await measureRate(load, durationMs);
    if (round >= 0) rates[index]?.push(rate);
  }
}
console.log(
  `Node ${process.versions.node}, ${rows} appointments seeded in ${(salon.seedMs / 1000).toFixed(1)} s`,
);
console.log(
  `${rounds} rounds of ${values.seconds} s in turn, 16 connections over loopback; requests per second`,
);
console.log(renderRates(loads.map((load, index) => ({ ...load, rates: rates[index] ?? [] }))));

function toPost(path: string, body: string, sent: { key?: string; idempotencyKey?: string } = {}): string {
  const { key = 'none', idempotencyKey } = sent;
  const once = idempotencyKey === undefined ? '' : `idempotency-key: ${idempotencyKey}\r\n`;
  return `POST ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${key}\r\n${once}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Bookings of an existing client and stylist, each at a time of its own. */
async function readSample({ port, key }: Salon): Promise<() => string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/appointments?per_page=1`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { data } = (await answer.json()) as { data: { client_id: string; stylist_id: string }[] };
  const { client_id, stylist_id } = data[0] ?? { client_id: '', stylist_id: '' };
  let startMs = Date.UTC(2040, 0, 2);
  return () => {
    startMs += 3_600_000;
    const start_time = new Date(startMs).toISOString();
    return JSON.stringify({ client_id, stylist_id, service: 'Cut', start_time, duration: 45 });
  };
}
