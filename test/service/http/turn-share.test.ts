import { Worker } from 'node:worker_threads';
import fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBoundedQueue } from '../../../src/queue.ts';
import { addConnectionLimits, createTurnShare } from '../../../src/service/http/connections.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A queue whose tasks have keys of their own and never end. */
function openQueue() {
  const share = createTurnShare({ maxTasks: 128 });
  const queue = createBoundedQueue<number>({ maxRunning: 1, share });
  const begun: number[] = [];
  let entered = 0;
  const enter = () => {
    const index = entered++;
    queue.enter(index).start(() => begun.push(index));
  };
  return { enter, begun, share };
}

describe('the share of an event loop', () => {
  it('lets a number of tasks begin in a turn and the others in the next ones, in order', async () => {
    const { enter, begun } = openQueue();
    for (let index = 0; index < 300; index += 1) enter();
    const counts = [begun.length];
    for (let turn = 0; turn < 3; turn += 1) {
      await nextTurn();
      counts.push(begun.length);
    }
    expect(counts).toEqual([128, 256, 300, 300]);
    expect(begun).toEqual(Array.from({ length: 300 }, (_, index) => index));
  });

  it('lets two begin in each turn after one in which a client has connected', async () => {
    const { enter, begun, share } = openQueue();
    const countNext = async () => {
      const before = begun.length;
      await nextTurn();
      return begun.length - before;
    };
    for (let index = 0; index < 300; index += 1) enter();
    expect(begun).toHaveLength(128);
    for (let turn = 0; turn < 3; turn += 1) {
      share.noteConnection();
      expect(await countNext()).toBe(2);
    }
    expect([await countNext(), await countNext()]).toEqual([128, 38]);
    share.noteConnection();
    await nextTurn();
    // The short turn ends, although nothing begins in it.
    await nextTurn();
    for (let index = 0; index < 20; index += 1) enter();
    expect(begun).toHaveLength(320);
  });
});

/** Opens 400 connections. On a message, it sends a request on each, opens 20 more, and wakes the other thread. */
const clients = `
const { workerData: { port, state }, parentPort } = require('node:worker_threads');
const { connect } = require('node:net');
const request = 'GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n';
const open = () => new Promise((resolve, reject) => {
  const socket = connect(port, '127.0.0.1', () => resolve(socket)).on('error', reject);
});
const send = (socket) => new Promise((resolve) => socket.write(request, resolve));
const openMany = (count) => Promise.all(Array.from({ length: count }, open));
const run = async () => {
  const busy = await openMany(400);
  await require('node:events').once(parentPort, 'message');
  await Promise.all(busy.map(send));
  await openMany(20);
  Atomics.store(state, 0, 1);
  Atomics.notify(state, 0);
};
run();
`;

it('accepts clients that connect while hundreds of requests of others wait', async () => {
  const app = fastify({ forceCloseConnections: true });
  onTestFinished(() => app.close());
  addConnectionLimits(app);
  let begun = 0;
  let connected = 0;
  const allBusy = Promise.withResolvers<void>();
  const begunAtLast = Promise.withResolvers<number>();
  app.addHook('onRequest', async () => {
    begun += 1;
  });
  app.get('/', async () => '');
  await app.listen({ port: 0, host: '127.0.0.1', backlog: 1024 });
  app.server.on('connection', () => {
    connected += 1;
    if (connected === 400) allBusy.resolve();
    if (connected === 420) begunAtLast.resolve(begun);
  });
  const state = new Int32Array(new SharedArrayBuffer(4));
  const port = Number(new URL(app.listeningOrigin).port);
  const worker = new Worker(clients, { eval: true, workerData: { port, state } });
  onTestFinished(async () => void (await worker.terminate()));
  await allBusy.promise;
  worker.postMessage('send');
  // The system has all requests and connections before the event loop goes on.
  expect(Atomics.wait(state, 0, 0, 150_000)).not.toBe('timed-out');
  expect(begun).toBe(0);
  // Of those that wait, 128 would begin in each turn, which accepts one connection.
  expect(await begunAtLast.promise).toBeLessThan(400);
});
