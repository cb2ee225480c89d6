import { expect, it } from 'vitest';
import { toInsert, toMatch, toUpdate, toUpsert } from '../../../src/service/db/rows.ts';
import { openTestDatabase } from '../../support/database.ts';

it('rows are inserted, replaced, changed and found by their columns', async () => {
  await using store = await openTestDatabase();
  await store.database.transaction('service', async (tx) => {
    const row = { name: 'a', value: 'one' };
    const read = () => tx.run("select * from database_settings where name in ('a', 'b') order by name", []);
    await tx.run(...toInsert('database_settings', [row, { name: 'b', value: "it's ?" }]));
    const again = toInsert('database_settings', [row], 'on conflict (name) do nothing returning name');
    expect(await tx.run(...again)).toEqual([]);
    await tx.run(...toUpsert('database_settings', { ...row, value: 'two' }, ['name']));
    await tx.run(...toUpdate('database_settings', { value: '' }, { name: 'b', value: undefined }));
    expect(await read()).toEqual([
      { name: 'a', value: 'two' },
      { name: 'b', value: '' },
    ]);
  });
});

it('a condition takes null for itself, and refuses to match everything', async () => {
  expect(toMatch({ id: 'x', ended_at: null, role: undefined })).toEqual([
    'id = ? and ended_at is null',
    ['x'],
  ]);
  await using store = await openTestDatabase();
  const all = toUpdate('accounts', { name: 'x' }, { id: undefined });
  await expect(store.database.transaction('rows', (tx) => tx.run(...all))).rejects.toThrow();
});
