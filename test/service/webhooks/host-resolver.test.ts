import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createHostResolver } from '../../../src/service/webhooks/webhook-address.ts';

/** A DNS server with the given responses; undefined means no response. */
async function openNameServer(response: (question: Buffer) => Buffer | undefined) {
  const socket = createSocket('udp4', (question, { port, address }) => {
    const bytes = response(question);
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

describe('a host name', () => {
  it.each([
    ['without a DNS response', () => undefined],
    ['with a failing DNS server', (question: Buffer) => withCode(question, 2)],
  ])('%s does not block the few threads of the system resolver', async (_title, response) => {
    await using server = await openNameServer(response);
    const systemLookups: string[] = [];
    const resolve = createHostResolver({
      servers: server.servers,
      timeoutMs: 20,
      lookUp: async (name) => {
        systemLookups.push(name);
        return [];
      },
    });
    const names = Array.from({ length: 20 }, (_, number) => `hooks${number}.example`);
    const settled = await Promise.allSettled(names.map(resolve));
    expect(settled.map(({ status }) => status)).toEqual(names.map(() => 'rejected'));
    expect(systemLookups).toEqual([]);
  });

  it('unknown to DNS may be in the hosts file', async () => {
    await using server = await openNameServer((question) => withCode(question, 3));
    const resolve = createHostResolver({ servers: server.servers, lookUp: async () => ['127.0.0.1'] });
    expect(await resolve('till.example')).toEqual(['127.0.0.1']);
  });

  it('of this machine resolves without DNS', async () => {
    expect(await createHostResolver()('localhost')).toContain('127.0.0.1');
  });
});
