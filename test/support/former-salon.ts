import { listClients } from '../../src/service/domain/clients.ts';
import type { Context } from '../../src/service/domain/context.ts';
import type { TestSalon } from './salon.ts';

/** The context of the owner of the salon in the dump. */
export async function openFormer({ store, as }: TestSalon): Promise<Context> {
  const context = as();
  const [found] = await store.database.reader.run<{ id: string }>('select account_id as id from clients', []);
  const account = { ...context.caller.account, id: found?.id ?? '' };
  return { ...context, caller: { ...context.caller, account } };
}

/** The first names of the clients that a search finds. */
export async function searchFirstNames(context: Context, text: string): Promise<string[]> {
  const { dataJson } = await listClients(context, { q: text });
  return JSON.parse(String(dataJson)).map((client: { first_name: string }) => client.first_name);
}
