import { CompiledQuery } from 'kysely';
import type { Reader } from './engine.ts';

/** How a stylist stands with an account; undefined when the account has no such stylist. */
export async function readStylistStanding(
  reader: Reader,
  { accountId, id }: { accountId: string; id: string },
): Promise<'active' | 'inactive' | undefined> {
  const text = 'select active from stylists where account_id = ? and id = ?';
  const { rows } = await reader.executeQuery<{ active: 0 | 1 }>(CompiledQuery.raw(text, [accountId, id]));
  return rows[0] === undefined ? undefined : rows[0].active === 1 ? 'active' : 'inactive';
}
