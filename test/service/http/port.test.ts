import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createNetServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { parseServiceConfig } from '../../../src/service/config.ts';
import { bindPort } from '../../../src/service/http/port.ts';
import { openService } from '../../../src/service/service.ts';
import { createTestFolder } from '../../support/database.ts';
import { findFreePort, isListening } from '../../support/free-port.ts';
import { createPostgresDatabase, isPostgres } from '../../support/postgres.ts';
import { sendRequest } from '../../support/send-request.ts';
import { openTestService } from '../../support/service.ts';

const host = '127.0.0.1';

/** A database that no service has opened yet, and what it contains. */
async function createUntouched(folder: string) {
  const file = join(folder, 'salon.db');
  if (!isPostgres) {
    return {
      location: `sqlite:${file}`,
      readTables: async () => (existsSync(file) ? ['a file'] : []),
      [Symbol.asyncDispose]: async () => {},
    };
  }
  const database = await createPostgresDatabase('template0');
  return {
    location: database.location,
    async readTables() {
      const client = new pg.Client({ connectionString: database.location, ssl: false });
      await client.connect();
      const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public'");
      await client.end();
      return rows;
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

describe('a service whose port is in use', () => {
  it.each(['port', 'metrics'] as const)('leaves the database as it is: %s', async (name) => {
    using folder = createTestFolder();
    await using untouched = await createUntouched(folder.path);
    const taken = createNetServer().listen(0, host);
    await once(taken, 'listening');
    const config = parseServiceConfig({
      database: untouched.location,
      ...{ port: '0', logLevel: 'silent' },
      [name]: String((taken.address() as AddressInfo).port),
    });
    const environment = { now: () => new Date(), random: (size: number) => new Uint8Array(size) };
    const env = { SALON_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
    const opening = openService(config, { ...environment, env, log: { write: () => true } });
    await expect(opening).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/already in use/),
    });
    expect(await untouched.readTables()).toEqual([]);
    taken.close();
  });
});

describe('a request to a service that is starting', () => {
  const answer = createServer((_request, response) => response.end('ready'));

  it('waits, and is answered once the service is ready', async () => {
    const port = await findFreePort();
    const bound = await bindPort({ host, port, backlog: 16 });
    const socket = connect(port, host);
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nhost: salon\r\n\r\n');
    // The connection is accepted in one of the next turns of the event loop.
    for (let turns = 0; turns < 10; turns += 1) await nextTurn();
    bound.passTo(answer);
    answer.listen();
    const received = await text(socket);
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(received).toMatch(/\r\nconnection: close\r\n/i);
    const later = await sendRequest(`http://${host}:${port}/`);
    expect([later.status, later.text]).toEqual([200, 'ready']);
    answer.close();
    await once(answer, 'close');
    expect(await isListening(port)).toBe(false);
  });
});

describe('a connection that has sent nothing', () => {
  it('does not keep a service from closing', async () => {
    // Longer than the test may take.
    const service = await openTestService({ config: { shutdownTimeoutMs: 3_600_000 } });
    const socket = connect(Number(new URL(service.origin).port), host);
    await once(socket, 'connect');
    // A later connection is accepted after it.
    await sendRequest(`${service.origin}/healthz`);
    await service.close();
    expect(await text(socket)).toBe('');
  });
});
