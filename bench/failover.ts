// Kills the primary of a synchronous Patroni cluster again and again while a service writes. Nothing that was acknowledged
// may be lost or doubled, and the service must answer 503 meanwhile and recover by itself.
// Run: npm run bench:failover -- 10      Needs patroni, etcd, haproxy and PostgreSQL.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openPatroniCluster } from './patroni-cluster.ts';
import { openFolder } from './start-server.ts';

const kills = Number(process.argv[2] ?? 10);
const writers = 8;
const launcher = join(import.meta.dirname, '../bin/salon.js');

using folder = openFolder();
await using cluster = await openPatroniCluster(folder.path, 15_700);
await cluster.waitUntilSynchronous();
const admin = cluster.location.replace('salon@', 'postgres@').replace(/salon$/, 'postgres');
for (const sql of ['create role salon login', 'create database salon owner salon']) {
  execFileSync('psql', ['-q', '-c', sql, admin]);
}
const env = { ...process.env, HOME: folder.path, SALON_SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') };
const salon = (line: string) => {
  const argv = [launcher, 'service', ...line.split(' '), '--database', cluster.location, '--json'];
  return JSON.parse(execFileSync(process.execPath, argv, { env }).toString());
};
salon('account create --name Salon --limit 1000000000');
const { key } = salon('key create --role owner --name writer');

const service = spawn(
  process.execPath,
  [
    ...[launcher, 'server', 'start', '--port', '0', '--database', cluster.location],
    ...['--log-level', 'error', '--log-file', join(folder.path, 'salon.log')],
  ],
  { env, stdio: ['ignore', 'pipe', 'inherit'] },
);
const [line] = (await once(service.stdout, 'data')) as [Buffer];
const origin = line.toString().trim();

const acknowledged = new Map<string, string>();
const statuses = new Map<string, number>();
let isEnding = false;
let number = 0;
let lastRefusalMs = 0;
let lastSuccessMs = 0;

async function post(name: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${origin}/v1/clients`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': name,
      },
      body: JSON.stringify({ last_name: name }),
      signal: AbortSignal.timeout(60_000),
    });
    const body = (await response.json()) as { id: string; code?: string; detail?: string };
    const outcome = response.ok ? String(response.status) : `${response.status} ${body.detail}`;
    statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
    if (response.status === 201) {
      acknowledged.set(name, body.id);
      lastSuccessMs = performance.now();
      return;
    }
    lastRefusalMs = performance.now();
    if (isEnding) return;
    await wait(100);
  }
}

async function write(): Promise<void> {
  while (!isEnding) await post(`write-${number++}`);
}

const writing = Promise.all(Array.from({ length: writers }, write));
const pauses: number[] = [];
for (let kill = 1; kill <= kills; kill += 1) {
  await cluster.waitUntilSynchronous();
  await wait(3000);
  const before = acknowledged.size;
  const killedMs = performance.now();
  const restart = await cluster.killPrimary();
  const ready: number[] = [];
  while (lastRefusalMs < killedMs || lastSuccessMs < lastRefusalMs) {
    ready.push((await fetch(`${origin}/readyz`)).status);
    if ((await fetch(`${origin}/healthz`)).status !== 200) throw new Error('The process does not answer.');
    await wait(100);
  }
  const pauseMs = lastSuccessMs - killedMs;
  pauses.push(pauseMs);
  const unready = ready.filter((status) => status === 503).length;
  console.log(
    `kill ${kill}: ${before} acknowledged; writes again after ${(pauseMs / 1000).toFixed(1)} s; readiness ${unready} × 503 of ${ready.length}`,
  );
  restart();
}
await wait(2000);
isEnding = true;
await writing;

const read = await fetch(`${origin}/v1/clients?per_page=1`, { headers: { authorization: `Bearer ${key}` } });
const { pagination } = (await read.json()) as { pagination: { total: number } };
const rows = execFileSync('psql', ['-qAtc', 'select id, record from clients', cluster.location], {
  maxBuffer: 2 ** 30,
}).toString();
const stored = new Map<string, string[]>();
for (const row of rows.split('\n').filter((text) => text !== '')) {
  const { last_name, id } = JSON.parse(row.slice(row.indexOf('|') + 1)) as { last_name: string; id: string };
  stored.set(last_name, [...(stored.get(last_name) ?? []), id]);
}
const lost = [...acknowledged].filter(([name, id]) => !stored.get(name)?.includes(id)).length;
const doubled = [...stored.values()].filter((ids) => ids.length > 1).length;
const count = [...stored.values()].flat().length;
console.log(Object.fromEntries([...statuses].sort()));
console.log(
  `${acknowledged.size} acknowledged, ${lost} lost, ${doubled} doubled; the list says ${pagination.total}, the table has ${count}`,
);
pauses.sort((one, other) => one - other);
console.log(`pause: median ${((pauses[pauses.length >> 1] ?? 0) / 1000).toFixed(1)} s`);
service.kill('SIGTERM');
await once(service, 'close');
process.exitCode = lost === 0 && doubled === 0 && pagination.total === count ? 0 : 1;
