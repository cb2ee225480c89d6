import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openAdministration } from '../src/service/administration.ts';
import { openFolder, startServer } from './start-server.ts';

// How long another account waits for /me while a viewer's key sends costly reads, all at once and again and again.
const { values } = parseArgs({
  options: {
    appointments: { type: 'string', default: '200000' },
    clients: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '5' },
  },
});

interface Salon {
  readonly port: number;
  readonly accountId: string;
}

const environment = { now: () => new Date(), random: (size: number) => randomBytes(size) };
using folder = openFolder();
const file = join(folder.path, 'salon.db');
using server = startServer('salon-service.ts', [file, values.appointments, values.clients]);
const [{ port, accountId }] = (await once(server.process, 'message')) as [Salon];
const keys = await createKeys();
// Each account has connections of its own: one whose request was refused is not read for half a second.
const createAgent = () => new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const agents = { [keys.viewer]: createAgent(), [keys.other]: createAgent() };

const orders = ['start_time', '-start_time', 'updated_at', '-updated_at', 'created_at', '-created_at'];
const day = 86_400_000;
const pick = (count: number) => Math.floor(Math.random() * count);
const toDay = (days: number) => new Date(Date.now() + days * day).toISOString();
const syllables = ['an', 'ar', 'el', 'ma', 'ri', 'so', 'lo', 'pe', 'ca', 'jo', 'na', 'le'];

/** 60 deep sorted pages, 300 searches, 60 time ranges; none repeats, so that no count is known. */
const attack = () => [
  ...Array.from(
    { length: 60 },
    () =>
      `/api/v1/appointments?sort=${orders[pick(orders.length)]}&per_page=50&page=${1900 + pick(100)}&updated_since=${toDay(-9000 - Math.random())}`,
  ),
  ...Array.from(
    { length: 300 },
    () =>
      `/api/v1/clients?per_page=200&q=${syllables[pick(12)]}%20${syllables[pick(12)]}&updated_since=${toDay(-9000 - Math.random())}`,
  ),
  ...Array.from(
    { length: 60 },
    () =>
      `/api/v1/appointments?per_page=200&start_time_from=${toDay(-700 + pick(400) + Math.random())}&start_time_to=${toDay(300 + pick(400))}`,
  ),
];

console.log(`Node ${process.versions.node}, ${values.appointments} appointments, ${values.clients} clients`);
report('alone', await sampleWhile(() => new Promise((resolve) => setTimeout(resolve, 3000))));
const statuses = new Map<number, number>();
const startedAt = performance.now();
const waits = await sampleWhile(async () => {
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const status of await Promise.all(attack().map((path) => read(path, keys.viewer)))) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
});
report('under attack', waits);
const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
console.log(`the attack took ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${answers}`);
for (const agent of Object.values(agents)) agent.destroy();

/** A viewer of the large salon, and the owner of a small one. */
async function createKeys(): Promise<{ viewer: string; other: string }> {
  await using administration = await openAdministration(`sqlite:${file}`, environment);
  const plan = { name: 'Other', plan: 'enterprise', hourlyLimit: 1_000_000_000 } as const;
  const { id } = await administration.createAccount(plan);
  const { createApiKey, inAccount } = administration;
  const viewer = await createApiKey(await inAccount(accountId), { role: 'viewer', name: 'attacker' });
  const other = await createApiKey(await inAccount(id), { role: 'owner', name: 'other' });
  return { viewer: viewer.key, other: other.key };
}

/** Reads `/me` of the other account every few milliseconds while something else runs, and returns how long each took. */
async function sampleWhile(act: () => Promise<unknown>): Promise<number[]> {
  const waits: number[] = [];
  let isDone = false;
  const done = act().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const askedAt = performance.now();
    const status = await read('/api/v1/me', keys.other);
    if (status !== 200) throw new Error(`/me was answered with ${status}.`);
    waits.push(performance.now() - askedAt);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await done;
  return waits;
}

function read(path: string, key: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(
      { host: '127.0.0.1', port, path, agent: agents[key], headers: { authorization: `Bearer ${key}` } },
      (response) => {
        response.on('end', () => resolve(response.statusCode ?? 0)).resume();
      },
    );
    request.on('error', reject);
  });
}

function report(name: string, waits: readonly number[]): void {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  console.log(
    `${name.padEnd(12)} /me of another account, ${waits.length} requests: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`,
  );
}
