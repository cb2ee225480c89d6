import type { SalonService } from '../../../contract/salon-service.ts';
import type { Reader } from '../engine.ts';

/** The service with a folded name; undefined if there is none. */
export async function readServiceByName(
  reader: Reader,
  { accountId, nameKey }: { readonly accountId: string; readonly nameKey: string },
): Promise<SalonService | undefined> {
  const text = 'select record from services where account_id = ? and name_key = ?';
  const [row] = await reader.run<{ record: string }>(text, [accountId, nameKey]);
  return row && JSON.parse(row.record);
}

/** Whether an account has a price, of a service or an appointment. */
export async function hasPrice(reader: Reader, accountId: string): Promise<boolean> {
  const text = `select 1 from services where account_id = ? and price is not null
    union all select 1 from appointments where account_id = ? and payment is not null limit 1`;
  return (await reader.run(text, [accountId, accountId])).length > 0;
}
