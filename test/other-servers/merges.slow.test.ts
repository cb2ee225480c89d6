import { describe, expect, it } from 'vitest';
import { kinds } from '../support/servers/kinds.ts';
import { omit } from '../support/servers/other-server.ts';
import { connect } from './machine.ts';
import { connections } from './operations.ts';

describe.each(kinds)('duplicates on a server that cannot merge: $name', (kind) => {
  it('are not merged, and nothing is changed', async () => {
    await using machine = await connect(connections.dialect(kind), { count: 9 });
    const { all } = machine.server.store;
    const before = all().map((row) => ({ ...row }));
    const ids = [before[0], before[4]].map((row) => String(row?.['id']));
    const ran = await machine.salon('clients', 'merge', ...ids, '--yes');
    expect(ran, ran.stderr).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toContain('This server does not support POST /clients/:id/merge.');
    expect(all()).toEqual(before);
  });

  it('are listed', async () => {
    await using machine = await connect(connections.dialect(kind), { count: 30, maxPageSize: 7 });
    const { first, last, phone } = kind.fields;
    const [row] = machine.server.store.all();
    if (row === undefined) throw new Error('The server has no clients.');
    machine.server.store.add({
      ...omit(row, ['id']),
      [first]: row[last],
      [last]: row[first],
      [phone]: row[phone],
    });
    const ran = await machine.salon('clients', 'duplicates', '--json');
    expect(ran.exitCode, ran.stderr).toBe(0);
    const pairs = JSON.parse(ran.stdout) as Record<string, unknown>[];
    const found = pairs.flatMap(({ client_id, duplicate_id }) => [String(client_id), String(duplicate_id)]);
    expect(found).toContain(String(row['id']));
  });
});
