import type { Reader } from '../engine.ts';

/** The ID of the service with a folded name; undefined if there is none. */
export async function findServiceId(
  reader: Reader,
  { accountId, nameKey }: { readonly accountId: string; readonly nameKey: string },
): Promise<string | undefined> {
  const text = 'select id from services where account_id = ? and name_key = ?';
  return (await reader.run<{ id: string }>(text, [accountId, nameKey]))[0]?.id;
}

/** Whether an account has a price, of a service or an appointment. */
export async function hasPrice(reader: Reader, accountId: string): Promise<boolean> {
  const text = `select 1 from services where account_id = ? and price is not null
    union all select 1 from appointments where account_id = ? and payment is not null limit 1`;
  return (await reader.run(text, [accountId, accountId])).length > 0;
}
