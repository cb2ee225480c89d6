import type { Writer } from './engine.ts';

/** How a stylist stands with an account; undefined when the account has no such stylist. */
export async function readStylistStatus(
  tx: Writer,
  { accountId, id }: { accountId: string; id: string },
): Promise<'active' | 'inactive' | undefined> {
  const text = 'select active from stylists where account_id = ? and id = ?';
  const [row] = await tx.run<{ active: 0 | 1 }>(text, [accountId, id]);
  return row === undefined ? undefined : row.active === 1 ? 'active' : 'inactive';
}
