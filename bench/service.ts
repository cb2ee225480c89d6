import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Load, measureRate, toGet } from './load.ts';
import { renderRates } from './render-rates.ts';
import { openFolder, startServer } from './start-server.ts';

// Requests per second of the service and of a minimal handler over SQLite, in turn.
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
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

using folder = openFolder();
using bare = startServer('bare-service.ts', [join(folder.path, 'bare.db'), String(bareRows)]);
using ours = startServer('salon-service.ts', [join(folder.path, 'salon.db'), String(rows)]);
const [barePort] = (await once(bare.process, 'message')) as [number];
const [salon] = (await once(ours.process, 'message')) as [Salon];
const sample = await readSample(salon);

const toPage = (page: number) => toGet(`/api/v1/appointments?page=${page}&per_page=${perPage}`, salon.key);
const loads: readonly (Load & { readonly name: string; readonly beside: number })[] = [
  {
    name: 'bare, first page',
    beside: 0,
    port: barePort,
    toRequest: () => toGet(`/?page=1&per_page=${perPage}`),
  },
  {
    name: 'salon, random page',
    beside: 0,
    port: salon.port,
    toRequest: () => toPage(1 + Math.floor(Math.random() * lastPage)),
  },
  { name: 'salon, first page', beside: 0, port: salon.port, toRequest: () => toPage(1) },
  { name: 'salon, last page', beside: 2, port: salon.port, toRequest: () => toPage(lastPage) },
  { name: 'bare, create', beside: 4, port: barePort, toRequest: () => toPost('/', sample) },
  {
    name: 'salon, create',
    beside: 4,
    port: salon.port,
    toRequest: () => toPost('/api/v1/appointments', sample, { key: salon.key }),
  },
  {
    name: 'salon, create once',
    beside: 4,
    port: salon.port,
    toRequest: () => toPost('/api/v1/appointments', sample, { key: salon.key, idempotencyKey: randomUUID() }),
  },
];

const rates: number[][] = loads.map(() => []);
for (let round = -1; round < rounds; round++) {
  for (const [index, load] of loads.entries()) {
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

/** A booking of an existing client and stylist. */
async function readSample({ port, key }: Salon): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/appointments?per_page=1`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { data } = (await answer.json()) as { data: { client_id: string; stylist_id: string }[] };
  const { client_id, stylist_id } = data[0] ?? { client_id: '', stylist_id: '' };
  const start_time = '2040-01-02T10:00:00Z';
  return JSON.stringify({
    client_id,
    stylist_id,
    service: 'Cut',
    start_time,
    duration: 45,
    allow_overlap: true,
  });
}
