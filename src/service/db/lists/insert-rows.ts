import type { Insertable } from 'kysely';
import type { Writer } from '../engine.ts';
import type { CollectionName, Tables } from '../tables.ts';

/** A good size for throughput; more rows a statement gain nothing measurable. */
const rowsPerStatement = 50;

/**
 * Inserts many rows that all have the same columns. Thousands of times the same statement: building it anew
 * for each batch would cost more than running it.
 */
export async function insertRows<Name extends CollectionName>(
  tx: Writer,
  table: Name,
  rows: Iterable<Insertable<Tables[Name]>>,
): Promise<void> {
  let batch: object[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length === rowsPerStatement) {
      await insertBatch(tx, table, batch);
      batch = [];
    }
  }
  if (batch.length > 0) {
    await insertBatch(tx, table, batch);
  }
}

async function insertBatch(tx: Writer, table: CollectionName, batch: readonly object[]): Promise<void> {
  const columns = Object.keys(batch[0] ?? {});
  const tuple = `(${columns.map(() => '?').join(', ')})`;
  const text = `insert into ${table} (${columns.join(', ')}) values ${batch.map(() => tuple).join(', ')}`;
  await tx.run(
    text,
    batch.flatMap((row) => Object.values(row)),
  );
}
