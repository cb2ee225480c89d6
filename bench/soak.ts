import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findFreePort } from '../test/support/free-port.ts';
import { startMixedLoad } from '../test/support/mixed-load.ts';
import { createHome, runSalon, startService } from '../test/support/salon-process.ts';
import { openWebhookReceiver } from '../test/support/webhook-receiver.ts';

// A service under mixed load: memory, file descriptors and the write-ahead log, at the beginning and at the end. The
// database begins larger than the page caches, and the load has a bounded rate, so that what grows is what leaks. Built
// first.
// Run: npm run bench:soak -- --minutes 10
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    /** By default a new SQLite file. */
    database: { type: 'string' },
    writers: { type: 'string', default: '8' },
    /** Requests a second, at most. */
    rate: { type: 'string', default: '100' },
    /** Worker processes; by default the service is one process, whose garbage is collected before each sample. */
    workers: { type: 'string' },
    /** Records of each list that are there, and read, before the load begins: more than a cache holds. */
    records: { type: 'string', default: '30000' },
    /** Prints every sample. */
    samples: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const sampleMs = 5000;
/** Caches fill and the code warms up first. */
const warmUpShare = 0.2;

interface Sample {
  /** What is left after a garbage collection; 0 with workers. */
  readonly heapMib: number;
  readonly rssMib: number;
  readonly descriptors: number;
  readonly logMib: number;
}

using home = createHome();
// On PostgreSQL no key file lies beside the database.
const env = { SALON_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
const file = `${home.folder}/salon.db`;
const database = values.database ?? `sqlite:${file}`;
const on = ['--database', database];
await runSalon(['server', 'accounts', 'create', '--name', 'Soak', '--limit', '1000000000', ...on], {
  home,
  env,
});
const addKey = ['server', 'keys', 'create', '--role', 'owner', '--name', 'soak', '--json', ...on];
const token: string = JSON.parse((await runSalon(addKey, { home, env })).stdout).key;
const size = ['--clients', values.records, '--appointments', values.records];
await runSalon(['server', 'seed', ...size, ...on], { home, env });
await using receiver = await openWebhookReceiver();
const debugPort = values.workers === undefined ? await findFreePort() : undefined;
const { child, origin } = await startService(database, {
  home,
  env: { ...env, ...(debugPort && { NODE_OPTIONS: `--inspect=127.0.0.1:${debugPort}` }) },
  flags: values.workers === undefined ? [] : ['--workers', values.workers],
});
await fillCaches();
await post('webhooks', { url: receiver.url, events: ['*'] });
const { id: stylistId } = await post('stylists', { first_name: 'Mia' });

let isOver = false;
const load = startMixedLoad({
  next: async () => {
    await delay((Number(values.writers) * 1000) / Number(values.rate));
    return origin;
  },
  token,
  stylistId,
  writers: Number(values.writers),
  isOver: () => isOver,
});
const samples: Sample[] = [];
for (let elapsedMs = 0; elapsedMs < minutes * 60_000; elapsedMs += sampleMs) {
  await delay(sampleMs);
  const sample = await takeSample();
  samples.push(sample);
  if (values.samples) console.log(JSON.stringify({ ...sample, requests: load.acknowledged() }));
}
isOver = true;
await load.finished;
child.kill('SIGTERM');
await once(child, 'close');

const warm = samples.slice(Math.floor(samples.length * warmUpShare));
const part = Math.ceil(warm.length / 4);
const [first, last] = [warm.slice(0, part), warm.slice(-part)];
console.log(
  `${load.acknowledged()} requests in ${minutes} minutes, ${load.unexpected.length} unexpected answers`,
);
for (const unexpected of load.unexpected.slice(0, 5)) console.log(`  ${unexpected}`);
for (const measure of ['heapMib', 'rssMib', 'descriptors', 'logMib'] as const) {
  const [before, after] = [first, last].map((some) => toMedian(some.map((sample) => sample[measure])));
  const ratio = before === 0 || before === undefined ? 1 : Number(after) / before;
  console.log(`${measure.padEnd(12)} ${before?.toFixed(1)} → ${after?.toFixed(1)}  (${ratio.toFixed(2)})`);
}

/** Reads every record on new connections, so that all workers have read many of them, and changes some. */
async function fillCaches(): Promise<void> {
  const pages = Array.from({ length: Math.ceil(Number(values.records) / 200) }, (_, index) => index + 1);
  const left = ['clients', 'appointments'].flatMap((list) =>
    pages.map((page) => `${list}?per_page=200&page=${page}`),
  );
  const read = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      const { data } = (await send('GET', path)) as { data: { id: string }[] };
      if (!path.startsWith('clients')) continue;
      for (const { id } of data.slice(0, 4)) await send('PATCH', `clients/${id}`, { notes: path });
    }
  };
  await Promise.all(Array.from({ length: 4 }, read));
}

/** Of the service and its workers together. */
async function takeSample(): Promise<Sample> {
  const heapMib = debugPort === undefined ? 0 : await collectGarbage(debugPort);
  const pids = [Number(child.pid)];
  for (const pid of pids) pids.push(...readChildren(pid));
  const log = `${file}-wal`;
  return {
    heapMib,
    rssMib: sum(pids.map(readRssMib)),
    descriptors: sum(pids.map((pid) => readdirSync(`/proc/${pid}/fd`).length)),
    logMib: existsSync(log) ? statSync(log).size / 2 ** 20 : 0,
  };
}

/** Collects the garbage of a process through its inspector. Returns the MiB of its heap that are in use. */
async function collectGarbage(port: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(String(target?.webSocketDebuggerUrl));
  await once(socket, 'open');
  const call = async (id: number, method: string) => {
    socket.send(JSON.stringify({ id, method }));
    const [{ data }] = await once(socket, 'message');
    return JSON.parse(data).result;
  };
  await call(1, 'HeapProfiler.collectGarbage');
  const { usedSize } = await call(2, 'Runtime.getHeapUsage');
  socket.close();
  return usedSize / 2 ** 20;
}

function readChildren(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

function readRssMib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

async function post(path: string, body: object): Promise<{ readonly id: string }> {
  return (await send('POST', path, body)) as { id: string };
}

async function send(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${origin}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

function toMedian(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
