import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type Load, measureRate, toGet } from './load.ts';
import { renderRates } from './render-rates.ts';
import { openFolder, startServer } from './start-server.ts';

// Requests per second with an API key and with access tokens of a person and of an app. With --before <checkout>, the
// service of another checkout of this repository is measured beside it, with a key.
const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '2' },
  },
});
const rounds = Number(values.rounds);
const durationMs = Number(values.seconds) * 1000;
const clients = 1000;

interface Salon {
  readonly port: number;
  readonly key: string;
  readonly tokens?: { readonly person: string; readonly app: string };
}

type NamedLoad = Load & { readonly name: string; readonly beside: number; readonly server: ChildProcess };

using folder = openFolder();
using today = startSalon('salon-service.ts', 'today');
using former = values.before === undefined ? undefined : startSalon(toProgram(values.before), 'before');
const salon = await readSalon(today);
const { person = '', app = '' } = salon.tokens ?? {};
const credentials = [
  ...(former === undefined
    ? []
    : [{ holder: 'a key before', ...(await readSalon(former)), server: former.process }]),
  { holder: 'a key', ...salon, server: today.process },
  { holder: "a person's token", ...salon, key: person, server: today.process },
  { holder: "an app's token", ...salon, key: app, server: today.process },
];
const loads: NamedLoad[] = [];
for (const [name, toRequest] of [
  ['get a client', toReads],
  ['add a client', toWrites],
] as const) {
  const beside = loads.length;
  for (const credential of credentials) {
    const { holder, port, server } = credential;
    loads.push({ name: `${name}, ${holder}`, beside, port, server, toRequest: await toRequest(credential) });
  }
}

const rates: number[][] = loads.map(() => []);
const costs: number[][] = loads.map(() => []);
for (let round = -1; round < rounds; round++) {
  for (const [index, load] of loads.entries()) {
    const beforeMs = readCpuMs(load.server);
    const rate = await measureRate(load, durationMs);
    const cpuMs = readCpuMs(load.server) - beforeMs;
    if (round < 0) continue;
    rates[index]?.push(rate);
    costs[index]?.push((cpuMs * 1000 * 1000) / (rate * durationMs));
  }
}
console.log(`Node ${process.versions.node}; ${rounds} rounds of ${values.seconds} s in turn, 16 connections`);
console.log('Requests per second:');
console.log(renderRates(loads.map((load, index) => ({ ...load, rates: rates[index] ?? [] }))));
if (costs.flat().every(Number.isFinite)) {
  console.log('CPU time of the service per request in µs, which other programs change less:');
  console.log(renderRates(loads.map((load, index) => ({ ...load, rates: costs[index] ?? [] }))));
}

/** The CPU time that a process has used, in milliseconds, to a hundredth of a second; NaN where /proc is missing. */
function readCpuMs({ pid }: ChildProcess): number {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    return ((user ?? Number.NaN) + (system ?? Number.NaN)) * 10;
  } catch {
    return Number.NaN;
  }
}

function startSalon(program: string, name: string) {
  return startServer(program, [join(folder.path, `${name}.db`), '100', String(clients)]);
}

function toProgram(checkout: string): string {
  return pathToFileURL(join(resolve(checkout), 'bench/salon-service.ts')).href;
}

async function readSalon({ process }: ReturnType<typeof startServer>): Promise<Salon> {
  const [message] = (await once(process, 'message')) as [Salon];
  return message;
}

/** The smallest response, so that reading the credential is as large a part of a request as it gets. */
async function toReads({ port, key }: Salon): Promise<() => string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/clients?per_page=1`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { data } = (await answer.json()) as { data: { id: string }[] };
  const request = toGet(`/api/v1/clients/${data[0]?.id}`, key);
  return () => request;
}

/** Every write makes the service read all credentials again. */
async function toWrites({ key }: Salon): Promise<() => string> {
  const body = JSON.stringify({ first_name: 'Mia', last_name: 'Berg', phone: '+4930123456' });
  const head = `POST /api/v1/clients HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${key}`;
  const request = `${head}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  return () => request;
}
