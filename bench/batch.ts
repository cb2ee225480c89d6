import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openFolder, startServer } from './start-server.ts';

// A batch of 20 bookings against 20 single ones, one after the other and 8 at a time, in turn, on both engines: wall time,
// and CPU time of the service. The PostgreSQL server given must write commits to its disk: with fsync.
const { values } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://salon@127.0.0.1:5432/postgres' },
    rounds: { type: 'string', default: '15' },
    times: { type: 'string', default: '10' },
  },
});
const rounds = Number(values.rounds);
/** Of 20 bookings, in each round. */
const times = Number(values.times);
const size = 20;
const slotMs = 45 * 60_000;
const tickMs = 10;

interface Account {
  readonly key: string;
  readonly clientIds: readonly string[];
  readonly stylistIds: readonly string[];
}

using folder = openFolder();
await measure('SQLite', `sqlite:${join(folder.path, 'salon.db')}`);
await using administrator = await connect(values.server);
const name = `salon_bench_${process.pid}`;
await administrator.client.query(`create database ${name}`);
try {
  await measure('PostgreSQL', Object.assign(new URL(values.server), { pathname: `/${name}` }).href);
} finally {
  await administrator.client.query(`drop database ${name} with (force)`);
}

async function measure(engine: string, location: string): Promise<void> {
  using service = startServer('salon-postgres.ts', [location, '1', '20000']);
  type Ready = { readonly accounts: readonly [Account]; readonly port: number };
  const [{ accounts, port }] = (await once(service.process, 'message')) as [Ready];
  const [account] = accounts;
  const agent = new Agent({ keepAlive: true });
  let slots = 0;

  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' };
    const sent = request({ host: '127.0.0.1', port, method: 'POST', path: `/api/v1${path}`, headers, agent });
    sent.end(JSON.stringify(body));
    const [answer] = await once(sent, 'response');
    const body201 = await text(answer);
    if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${body201}`);
  };
  /** Every booking has a slot of its own, which has to be checked. */
  const toBooking = () => {
    slots += 1;
    const { clientIds, stylistIds } = account;
    const start = Date.UTC(2040, 0, 1) + Math.floor(slots / stylistIds.length) * slotMs;
    return {
      ...{
        client_id: clientIds[slots % clientIds.length],
        stylist_id: stylistIds[slots % stylistIds.length],
      },
      ...{ service: 'Cut', start_time: new Date(start).toISOString(), duration: 45 },
    };
  };
  const bookSome = async (width: number) => {
    let left = size;
    const work = async () => {
      while (left-- > 0) await post('/appointments', toBooking());
    };
    await Promise.all(Array.from({ length: width }, work));
  };
  const sides = [
    { title: '20 single bookings', run: () => bookSome(1) },
    { title: '20, 8 at a time', run: () => bookSome(8) },
    {
      title: 'a batch of 20',
      run: () => post('/appointments/batch', { bookings: Array.from({ length: size }, toBooking) }),
    },
  ].map((side) => ({ ...side, wall: [] as number[], cpu: [] as number[] }));
  for (let round = -2; round < rounds; round += 1) {
    for (const { run, wall, cpu } of sides) {
      const [startMs, startCpuMs] = [performance.now(), readCpuMs(service.process.pid)];
      for (let time = 0; time < times; time += 1) await run();
      if (round < 0) continue;
      wall.push((performance.now() - startMs) / times);
      cpu.push((readCpuMs(service.process.pid) - startCpuMs) / times);
    }
  }
  agent.destroy();
  console.log(`${engine}: medians of ${rounds} rounds of ${times} in turn, of 20 bookings`);
  const [first] = sides;
  for (const { title, wall, cpu } of sides) {
    const figures = [wall, cpu].map((list, at) => {
      const beside = median((at === 0 ? first?.wall : first?.cpu) ?? []);
      return `${median(list).toFixed(1).padStart(8)} ms × ${(median(list) / beside).toFixed(2)}`;
    });
    console.log(`  ${title.padEnd(20)} wall ${figures[0]}   CPU of the service ${figures[1]}`);
  }
}

/** User and system time of a process, from Linux. */
function readCpuMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function connect(connectionString: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}
