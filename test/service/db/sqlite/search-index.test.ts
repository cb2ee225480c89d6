import { describe, expect, it } from 'vitest';
import { addClient, deleteClient, listClients } from '../../../../src/service/domain/clients.ts';
import { openTestSalon } from '../../../support/salon.ts';

describe('the search of clients', () => {
  it('keeps nothing of an erased client in its index', async () => {
    await using salon = await openTestSalon();
    const context = salon.as();
    await addClient(context, { first_name: 'Ada' });
    const { id } = await addClient(context, { first_name: 'Жжжщ' });
    const { reader } = salon.store.database;
    // The first trigram behind the Latin ones is stored as it is.
    const readBlocks = async () => {
      const rows = await reader.run<{ block: Uint8Array }>('select block from client_search_data', []);
      return rows.map(({ block }) => Buffer.from(block).toString('latin1')).join();
    };
    const trigram = Buffer.from('жжж').toString('latin1');
    expect(await readBlocks()).toContain(trigram);
    await deleteClient(context, id, { force: false, ifMatch: undefined });
    expect(await readBlocks()).not.toContain(trigram);
    expect((await listClients(context, { q: 'ada' })).total).toBe(1);
  });
});
