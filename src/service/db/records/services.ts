import type { Reader } from '../engine.ts';

/** The ID of the service with a folded name; undefined if there is none. */
export async function findServiceId(
  reader: Reader,
  { accountId, nameKey }: { readonly accountId: string; readonly nameKey: string },
): Promise<string | undefined> {
  const text = 'select id from services where account_id = ? and name_key = ?';
  return (await reader.run<{ id: string }>(text, [accountId, nameKey]))[0]?.id;
}
