import { describe, expect, it } from 'vitest';
import { kinds } from '../support/servers/kinds.ts';
import type { ServerKind } from '../support/servers/other-server.ts';
import { connect } from './machine.ts';
import { connections } from './operations.ts';

/** Runs a bulk edit by condition. Returns its result and the IDs of the clients that it changed or deleted. */
async function edit(kind: ServerKind, line: readonly string[]) {
  await using machine = await connect(connections.dialect(kind), { count: 23, maxPageSize: 5 });
  const before = machine.server.store.all();
  const ran = await machine.salon(...line, '--yes');
  const after = new Map(machine.server.store.all().map((row) => [row['id'], row]));
  const changed = before.filter((row) => after.get(row['id']) !== row);
  return { ...ran, before, changed };
}

const isBlank = (value: unknown) => value === null || value === undefined || value === '';

describe.each(kinds)('a bulk edit of a selection: $name', (kind) => {
  const { notes, email } = kind.fields;

  it('changes who has no email address, and nobody else', async () => {
    const { exitCode, stderr, before, changed } = await edit(kind, [
      ...['clients', 'update', '--no-email', '--set', `${notes}=No email`, '--allow-new-fields'],
    ]);
    expect(exitCode, stderr).toBe(0);
    expect(changed).toEqual(before.filter((row) => isBlank(row[email])));
  });

  it('changes whom a search finds, or says that it cannot', async () => {
    const { exitCode, stderr, before, changed } = await edit(kind, [
      ...['clients', 'update', '--search', 'Świątek', '--set', `${notes}=Found`, '--allow-new-fields'],
    ]);
    const found = before.filter((row) => JSON.stringify(row).includes('Świątek'));
    expect(found).toHaveLength(3);
    const expected = exitCode === 0 ? found : [];
    expect(changed, stderr).toEqual(expected);
  });

  it('changes nobody where records have no tags', async () => {
    for (const line of ['clients delete --tag vip', 'clients update --all --add-tag vip']) {
      const { exitCode, stderr, changed } = await edit(kind, line.split(' '));
      expect(changed).toEqual([]);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('have no tags')]);
    }
  });
});
