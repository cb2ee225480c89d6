import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createHostResolver } from '../../../src/service/webhooks/webhook-address.ts';

/** A name server that answers every question as the test says; undefined for not at all. */
async function openNameServer(answer: (question: Buffer) => Buffer | undefined) {
  const socket = createSocket('udp4', (question, { port, address }) => {
    const bytes = answer(question);
    if (bytes !== undefined) socket.send(bytes, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  return {
    servers: [`127.0.0.1:${port}`],
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void socket.close(() => resolve())),
  };
}

const asAnswer = 0x80;

function withCode(question: Buffer, code: number): Buffer {
  const bytes = Buffer.from(question);
  bytes[2] = (bytes[2] ?? 0) | asAnswer;
  bytes[3] = code;
  return bytes;
}

describe('the addresses of a name', () => {
  it.each([
    ['that nobody answers for', () => undefined],
    ['whose server fails', (question: Buffer) => withCode(question, 2)],
  ])('%s are not asked of the system, which has few threads for that', async (_title, answer) => {
    await using server = await openNameServer(answer);
    const asked: string[] = [];
    const resolve = createHostResolver({
      servers: server.servers,
      timeoutMs: 20,
      lookUp: async (name) => {
        asked.push(name);
        return [];
      },
    });
    const names = Array.from({ length: 20 }, (_, number) => `hooks${number}.example`);
    const settled = await Promise.allSettled(names.map(resolve));
    expect(settled.map(({ status }) => status)).toEqual(names.map(() => 'rejected'));
    expect(asked).toEqual([]);
  });

  it('that name servers do not know may be in the hosts file', async () => {
    await using server = await openNameServer((question) => withCode(question, 3));
    const resolve = createHostResolver({ servers: server.servers, lookUp: async () => ['127.0.0.1'] });
    expect(await resolve('till.example')).toEqual(['127.0.0.1']);
  });

  it('of this machine are found without anybody', async () => {
    expect(await createHostResolver()('localhost')).toContain('127.0.0.1');
  });
});
