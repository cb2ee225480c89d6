import type { Reader, Writer } from './engine.ts';

/** Erasures whose remains may still be in the files of the database. */
export interface PendingErasures {
  readonly lastSeq: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

export async function insertErasure(tx: Writer, erasedMs: number): Promise<void> {
  await tx.run('insert into erasures (erased_ms) values (?)', [erasedMs]);
}

export async function readPendingErasures(reader: Reader): Promise<PendingErasures | undefined> {
  const text = `select max(seq) as lastSeq, min(erased_ms) as firstMs, max(erased_ms) as lastMs from erasures`;
  const [row] = await reader.run<PendingErasures | { lastSeq: null }>(text, []);
  return row === undefined || row.lastSeq === null ? undefined : row;
}

export async function deleteErasures(tx: Writer, { lastSeq }: PendingErasures): Promise<void> {
  await tx.run('delete from erasures where seq <= ?', [lastSeq]);
}
