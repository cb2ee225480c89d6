import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mia, openCopyServer, toClient } from '../support/copy-server.ts';
import { json } from '../support/misbehaving-server.ts';
import { createHome, type Home, runHere, runOnSmallDisk, startSalon } from '../support/salon-process.ts';
import { until } from '../support/until.ts';

let server: Awaited<ReturnType<typeof openCopyServer>>;
let home: Home;
let options: { readonly home: Home; readonly env: Record<string, string> };
beforeEach(async () => {
  server = await openCopyServer();
  server.salon.lists['clients'] = Array.from({ length: 200 }, (_, index) => toClient(index));
  server.salon.lists['stylists'] = [mia];
  home = createHome();
  options = { home, env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' } };
});
afterEach(async () => {
  home[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

const sync = ['sync', 'salon.db', '--retries', '0'];

function countClients(): unknown {
  using database = new DatabaseSync(join(home.folder, 'salon.db'), { readOnly: true });
  return database.prepare('select count(*) as count from clients').get()?.['count'];
}

describe('salon sync', () => {
  it('leaves the copy as it was when it is killed, and syncs it the next time', async () => {
    expect(await runHere(sync, options)).toMatchObject({ exitCode: 0 });
    server.salon.lists['clients'] = [toClient(1)];
    // The list that is read last.
    server.salon.replies['stylists'] = () => {};
    const before = server.received.length;
    const child = startSalon(sync, options);
    await until(() => server.received.slice(before).some(({ path }) => path.endsWith('/stylists')));
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(countClients()).toBe(200);
    delete server.salon.replies['stylists'];
    expect(await runHere(sync, options)).toMatchObject({ exitCode: 0 });
    expect(countClients()).toBe(1);
  });

  it('goes on after it was killed during the first sync', async () => {
    server.salon.replies['stylists'] = () => {};
    const child = startSalon(sync, options);
    await until(() => server.received.some(({ path }) => path.endsWith('/stylists')));
    child.kill('SIGKILL');
    await once(child, 'close');
    delete server.salon.replies['stylists'];
    expect(await runHere(sync, options)).toMatchObject({ exitCode: 0 });
    expect(countClients()).toBe(200);
  });

  it('applies no half of the changes when it is killed while it follows them', async () => {
    const deleted = { resource: 'client', id: 'cli_1', deleted: true };
    const start = json({ data: [], position: 'p1', has_more: false });
    const changes = [start, json({ data: [deleted], position: 'half', has_more: true })];
    server.salon.replies['changes'] = (response) => changes.shift()?.(response);
    const child = startSalon([...sync, '--follow'], options);
    const isHalfWay = () => server.received.some(({ query }) => query.get('after') === 'half');
    await until(isHalfWay);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(countClients()).toBe(200);
    changes.push(json({ data: [deleted], position: 'p2', has_more: false }));
    expect(await runHere(sync, options)).toMatchObject({ exitCode: 0 });
    expect(server.received.at(-1)?.query.get('after')).toBe('p1');
    expect(countClients()).toBe(199);
  });

  it.skipIf(process.platform === 'win32')('leaves the copy as it was where the disk is full', async () => {
    expect(await runHere(sync, options)).toMatchObject({ exitCode: 0 });
    server.salon.lists['clients'] = Array.from({ length: 900 }, (_, index) =>
      toClient(index, { notes: 'new' }),
    );
    const ran = await runOnSmallDisk(sync, options);
    expect(ran).toMatchObject({ exitCode: 5 });
    expect(ran.stderr).toContain(`Cannot write ${join(home.folder, 'salon.db')}: `);
    expect(countClients()).toBe(200);
    expect(await runHere(sync, options)).toMatchObject({ exitCode: 0 });
    expect(countClients()).toBe(900);
  });

  it.skipIf(process.platform === 'win32')(
    'leaves no file where the disk is full for the first copy',
    async () => {
      expect(await runOnSmallDisk(sync, options)).toMatchObject({ exitCode: 5 });
      expect(existsSync(join(home.folder, 'salon.db'))).toBe(false);
    },
  );
});
