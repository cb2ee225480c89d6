import { once } from 'node:events';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type Load, measureRate, toGet } from './load.ts';
import { renderRates } from './render-rates.ts';
import { startServer } from './start-server.ts';

// Requests per second of the service on PostgreSQL, and of hand-written code over pg and node:http, in turn. The server
// given must write commits to its disk: with fsync.
const { values } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://salon@127.0.0.1:5432/postgres' },
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
  },
});
const rows = Number(values.rows);
const rounds = Number(values.rounds);
const durationMs = Number(values.seconds) * 1000;
const accountCount = 16;
const perPage = 50;
const lastPage = Math.ceil(rows / perPage);
const slotMs = 45 * 60_000;
let slots = 0;

interface Account {
  readonly accountId: string;
  readonly key: string;
  readonly clientIds: readonly string[];
  readonly stylistIds: readonly string[];
}

await using administrator = await connect(values.server);
const name = `salon_bench_${process.pid}`;
await administrator.client.query(`create database ${name}`);
try {
  const location = Object.assign(new URL(values.server), { pathname: `/${name}` }).href;
  await measure(location);
} finally {
  await administrator.client.query(`drop database ${name} with (force)`);
}

async function measure(location: string): Promise<void> {
  const { rows: settings } = await administrator.client.query('show fsync');
  using ours = startServer('salon-postgres.ts', [location, String(accountCount), String(rows)]);
  const [salon] = (await once(ours.process, 'message')) as [
    { readonly accounts: readonly Account[]; readonly port: number },
  ];
  await using database = await connect(location);
  await database.client.query('vacuum analyze');
  using bare = startServer('bare-postgres.ts', [location]);
  const [barePort] = (await once(bare.process, 'message')) as [number];
  const [first] = salon.accounts;
  if (first === undefined) throw new Error('There is no account.');

  const toPage = (page: number) => `/api/v1/appointments?page=${page}&per_page=${perPage}`;
  const bareGet = () => toGet(toPage(1)).replace('host:', `x-account: ${first.accountId}\r\nhost:`);
  const random = () => 1 + Math.floor(Math.random() * lastPage);
  const bookBare = (account: Account, path = '/') =>
    toPost(path, `x-account: ${account.accountId}`, toBooking(account));
  const book = (account: Account) =>
    toPost('/api/v1/appointments', `authorization: Bearer ${account.key}`, toBooking(account));
  let turn = 0;
  const next = () => salon.accounts[turn++ % accountCount] ?? first;

  const loads: readonly (Load & { readonly name: string; readonly beside: number })[] = [
    { name: 'bare, first page', beside: 0, port: barePort, toRequest: bareGet },
    { name: 'salon, first page', beside: 0, port: salon.port, toRequest: () => toGet(toPage(1), first.key) },
    {
      name: 'salon, random page',
      beside: 1,
      port: salon.port,
      toRequest: () => toGet(toPage(random()), first.key),
    },
    {
      name: 'bare, book in 1 account',
      beside: 3,
      port: barePort,
      toRequest: () => bookBare(first, '/steps'),
    },
    { name: 'bare, in one statement', beside: 3, port: barePort, toRequest: () => bookBare(first) },
    { name: 'salon, book in 1 account', beside: 3, port: salon.port, toRequest: () => book(first) },
    {
      name: 'bare, book in 16 accounts',
      beside: 6,
      port: barePort,
      toRequest: () => bookBare(next(), '/steps'),
    },
    { name: 'bare, in one statement', beside: 6, port: barePort, toRequest: () => bookBare(next()) },
    { name: 'salon, book in 16 accounts', beside: 6, port: salon.port, toRequest: () => book(next()) },
  ];
  const rates: number[][] = loads.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (const [index, load] of loads.entries()) {
      const rate = await measureRate(load, durationMs);
      if (round >= 0) rates[index]?.push(rate);
    }
  }
  console.log(`${rows} appointments, fsync ${settings[0]?.fsync}`);
  console.log(
    `${rounds} rounds of ${values.seconds} s in turn, 16 connections over loopback; requests per second`,
  );
  console.log(renderRates(loads.map((load, index) => ({ ...load, rates: rates[index] ?? [] }))));
}

/** Every booking has a slot of its own, which has to be checked. */
function toBooking({ clientIds, stylistIds }: Account): string {
  slots += 1;
  const start = Date.UTC(2040, 0, 1) + Math.floor(slots / stylistIds.length) * slotMs;
  return JSON.stringify({
    client_id: clientIds[slots % clientIds.length],
    stylist_id: stylistIds[slots % stylistIds.length],
    service: 'Cut',
    start_time: new Date(start).toISOString(),
    duration: 45,
  });
}

function toPost(path: string, header: string, body: string): string {
  const head = `host: bench\r\n${header}\r\ncontent-type: application/json`;
  return `POST ${path} HTTP/1.1\r\n${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

async function connect(connectionString: string): Promise<AsyncDisposable & { readonly client: pg.Client }> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}
