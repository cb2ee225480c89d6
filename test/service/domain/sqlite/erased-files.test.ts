import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addClient, deleteClient, listClients } from '../../../../src/service/domain/clients.ts';
import { openTestSalon } from '../../../support/salon.ts';

describe('deleting a client', () => {
  it('removes it from the write-ahead log, while other processes write', async () => {
    await using salon = await openTestSalon();
    const other = salon.as({ database: await salon.store.openAgain() });
    const body = { last_name: 'Vanishing-Surname', email: 'vanishing@example.com' };
    const ids = await Promise.all(Array.from({ length: 20 }, () => salon.addClient(body)));
    const inLog = () => readFileSync(`${salon.store.file}-wal`).toString('latin1');
    expect(inLog()).toMatch(/vanishing/i);
    await Promise.all(
      ids.flatMap((id) => [
        deleteClient(salon.as(), id, { force: false }),
        addClient(other, { first_name: 'Ada' }),
      ]),
    );
    // A purge covers all deletions of the second before it.
    await expect.poll(() => /vanishing/i.test(inLog())).toBe(false);
    expect(readFileSync(salon.store.file).toString('latin1')).not.toMatch(/vanishing/i);
    expect((await listClients(other, {})).total).toBe(20);
  });
});
