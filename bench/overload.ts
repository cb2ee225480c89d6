import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { toGet } from './load.ts';
import { openFolder, startServer } from './start-server.ts';

// What a flood does to the service: connections that send ahead and never read, bodies that never end, and ten times as
// many connections as keep it fully busy.
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '20000' },
    connections: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '20' },
  },
});
const connections = Number(values.connections);
const durationMs = Number(values.seconds) * 1000;
const page = '/api/v1/appointments?per_page=50';
const largePage = '/api/v1/appointments?per_page=200';

using folder = openFolder();
using service = startServer('salon-service.ts', [join(folder.path, 'salon.db'), values.rows]);
const [{ port, key }] = (await once(service.process, 'message')) as [{ port: number; key: string }];
const pid = service.process.pid ?? 0;

// Uncounted: compiles the code and fills the caches.
await flood(50, 2000);
const startMib = readMib();
console.log(
  `Node ${process.versions.node}, ${values.rows} appointments; the service starts with ${startMib} MiB`,
);
await sendAhead(3, 5000);
await leaveUnfinished(600);
await overload();

/** Connections that send requests ahead and never read a response. */
async function sendAhead(count: number, requests: number): Promise<void> {
  const sockets = await openSockets(count);
  for (const socket of sockets) socket.pause().write(toGet(largePage, key).repeat(requests));
  const peakMib = await watchMemory(10_000);
  for (const socket of sockets) socket.destroy();
  console.log(
    `${count} connections with ${requests} requests each, never read: peak ${peakMib} MiB (below 300)`,
  );
}

/** Bodies of 1 MiB whose last byte does not come. */
async function leaveUnfinished(count: number): Promise<void> {
  const sockets = await openSockets(count);
  const length = 2 ** 20;
  const head = `POST /api/v1/clients HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  for (const socket of sockets) socket.write(head + ' '.repeat(length - 1));
  const peakMib = await watchMemory(10_000);
  for (const socket of sockets) socket.destroy();
  console.log(`${count} unfinished bodies of 1 MiB: peak ${peakMib} MiB`);
}

/** Every connection asks again as soon as it has an answer, whatever that is. */
async function overload(): Promise<void> {
  const beforeMib = readMib();
  // The young generation of V8 grows with every full load, so that memory is compared with that of one.
  const [, fullLoadMib] = await Promise.all([flood(connections / 10, durationMs), watchMemory(durationMs)]);
  const [{ accepted, refused }, peakMib] = await Promise.all([
    flood(connections, durationMs),
    watchMemory(durationMs),
  ]);
  const stoppedAt = performance.now();
  const recoveredMs = await waitForFastResponse(stoppedAt);
  const sorted = accepted.toSorted((one, other) => one - other);
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN).toFixed(0);
  const grown = (fromMib: number) => `× ${(peakMib / fromMib).toFixed(2)}`;
  console.log(`${connections} connections for ${values.seconds} s:`);
  console.log(
    `  accepted ${accepted.length}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (below 1000), worst ${at(1)} ms`,
  );
  console.log(`  503 ${refused}`);
  console.log(
    `  memory ${peakMib} MiB at most; ${fullLoadMib} MiB with ${connections / 10} connections: ${grown(fullLoadMib)} (below 1.50); ${beforeMib} MiB before: ${grown(beforeMib)}`,
  );
  console.log(`  fast again after ${recoveredMs.toFixed(0)} ms (below 2000)`);
}

interface Responses {
  /** How long each request that was served took, the first one of a connection from connecting on. */
  readonly accepted: number[];
  refused: number;
}

async function flood(count: number, forMs: number): Promise<Responses> {
  const responses: Responses = { accepted: [], refused: 0 };
  const endsAt = performance.now() + forMs;
  await Promise.all(Array.from({ length: count }, () => askUntil(endsAt, responses)));
  return responses;
}

function askUntil(endsAt: number, responses: Responses): Promise<void> {
  return new Promise((resolve, reject) => {
    let bytesLeft = 0;
    let sentAt = performance.now();
    let status = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(toGet(page, key)));
    const ask = () => {
      sentAt = performance.now();
      if (sentAt < endsAt) socket.write(toGet(page, key));
      else socket.end(resolve);
    };
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      if (bytesLeft === 0) {
        const headEnd = chunk.indexOf('\r\n\r\n');
        const head = chunk.toString('latin1', 0, headEnd);
        status = head.slice(9, 12);
        bytesLeft = headEnd + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
      }
      bytesLeft -= chunk.length;
      if (bytesLeft > 0) return;
      if (status === '200') responses.accepted.push(performance.now() - sentAt);
      else if (status === '503') responses.refused += 1;
      else reject(new Error(`The service answered ${status}.`));
      ask();
    });
  });
}

async function openSockets(count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.on('error', () => {});
  return sockets;
}

/** How long after the flood a request takes less than 50 ms. */
async function waitForFastResponse(stoppedAt: number): Promise<number> {
  for (;;) {
    const sentAt = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}${page}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await response.arrayBuffer();
    const now = performance.now();
    if (response.status === 200 && now - sentAt < 50) return now - stoppedAt;
  }
}

/** The largest resident memory of the service within a time. */
async function watchMemory(forMs: number): Promise<number> {
  let peak = 0;
  for (const endsAt = performance.now() + forMs; performance.now() < endsAt; await delay(50)) {
    peak = Math.max(peak, readMib());
  }
  return peak;
}

function readMib(): number {
  const [, kib = '0'] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kib) / 1024);
}
