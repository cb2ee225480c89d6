import type { Reader } from '../engine.ts';

/** Undefined for a stylist that the account does not have. */
export type StylistStatus = 'active' | 'inactive' | undefined;

export async function readStylistStatus(
  reader: Reader,
  { accountId, id }: { accountId: string; id: string },
): Promise<StylistStatus> {
  const text = 'select active from stylists where account_id = ? and id = ?';
  const [row] = await reader.run<{ active: 0 | 1 }>(text, [accountId, id]);
  return toStylistStatus(row?.active);
}

/** The status by the column `active`, which is missing without a stylist. */
export function toStylistStatus(active: 0 | 1 | null | undefined): StylistStatus {
  if (active === null || active === undefined) return undefined;
  return active === 1 ? 'active' : 'inactive';
}

/** The records of all stylists of an account, as JSON texts. */
export async function readStylistRecords(reader: Reader, accountId: string): Promise<readonly string[]> {
  const text = 'select record from stylists where account_id = ?';
  const rows = await reader.run<{ record: string }>(text, [accountId]);
  return rows.map(({ record }) => record);
}
