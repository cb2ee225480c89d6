import type { Reader } from './engine.ts';

/** Whether a stylist is active; undefined when the account has no such stylist. */
export async function readStylistStatus(
  reader: Reader,
  { accountId, id }: { accountId: string; id: string },
): Promise<'active' | 'inactive' | undefined> {
  const text = 'select active from stylists where account_id = ? and id = ?';
  const [row] = await reader.run<{ active: 0 | 1 }>(text, [accountId, id]);
  return row === undefined ? undefined : row.active === 1 ? 'active' : 'inactive';
}

/** The records of all stylists of an account, as JSON texts. */
export async function readStylistRecords(reader: Reader, accountId: string): Promise<readonly string[]> {
  const text = 'select record from stylists where account_id = ?';
  const rows = await reader.run<{ record: string }>(text, [accountId]);
  return rows.map(({ record }) => record);
}
