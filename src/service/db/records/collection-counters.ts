import type { SqlValue } from '../conditions.ts';
import type { Writer } from '../engine.ts';
import type { CollectionKey } from '../pages.ts';

interface ByteChange {
  readonly added: number;
  /** Finds the records as they are before the change. */
  readonly former?: { readonly column: 'seq' | 'id'; readonly values: readonly SqlValue[] };
}

/** Bounds the number of values in a statement. */
const maxFormer = 500;

export function toByteChanges(
  rows: readonly { readonly id: string; readonly record?: string }[],
): ByteChange[] {
  const changes: ByteChange[] = [];
  const changed = rows.filter(({ record }) => record !== undefined);
  for (let start = 0; start < changed.length; start += maxFormer) {
    const some = changed.slice(start, start + maxFormer);
    const added = some.reduce((sum, { record = '' }) => sum + Buffer.byteLength(record), 0);
    changes.push({ added, former: { column: 'id', values: some.map(({ id }) => id) } });
  }
  return changes;
}

function renderBytes(
  { accountId, collection }: CollectionKey,
  { added, former }: ByteChange,
): { text: string; values: SqlValue[] } {
  if (former === undefined) return { text: 'bytes = bytes + ?', values: [added] };
  const text = `bytes = bytes + ? - (select coalesce(sum(octet_length(record)), 0) from ${collection} as r
    where r.account_id = ? and r.${former.column} in (${former.values.map(() => '?').join(', ')}))`;
  return { text, values: [added, accountId, ...former.values] };
}

/** Counts the bytes of changed records. Comes before the records are changed. */
export async function addBytes(tx: Writer, key: CollectionKey, change: ByteChange): Promise<void> {
  const { text, values } = renderBytes(key, change);
  const update = `update collections set ${text} where account_id = ? and name = ?`;
  await tx.run(update, [...values, key.accountId, key.collection]);
}

/** Where a collection of a locked account ends. */
export interface CollectionEnd {
  readonly lastSeq: number;
}

/**
 * Raises the version of a collection with its counters, before its records are changed. Returns the last position. It
 * costs less if the end was read already.
 */
export async function raiseVersion(
  tx: Writer,
  key: CollectionKey,
  { positions, records, ...change }: ByteChange & { positions: number; records: number },
  end?: CollectionEnd,
): Promise<number> {
  const bytes = renderBytes(key, change);
  const text = `update collections set version = version + 1, last_seq = last_seq + ?, total = total + ?,
    ${bytes.text} where account_id = ? and name = ?`;
  const values = [positions, records, ...bytes.values, key.accountId, key.collection];
  if (end !== undefined) {
    await tx.run(text, values);
    return end.lastSeq + positions;
  }
  const [row] = await tx.run<{ last_seq: number }>(`${text} returning last_seq`, values);
  if (row === undefined) {
    throw new Error(`The account ${key.accountId} has no collection ${key.collection}.`);
  }
  return row.last_seq;
}
