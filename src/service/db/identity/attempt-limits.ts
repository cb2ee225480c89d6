import { type Reader, readColumn, type Writer } from '../engine.ts';
import { toUpsert } from '../rows.ts';

/** Until when attempts by a key fill its limit, in Unix milliseconds; 0 without any. */
export async function readAttempts(reader: Reader, key: string): Promise<number> {
  const [untilMs = 0] = await readColumn<number>(
    reader,
    'select until_ms from attempt_limits where key = ?',
    [key],
  );
  return untilMs;
}

/** Saves until when a limit is filled; deletes limits that no longer count at `now`. */
export async function saveAttempts(
  tx: Writer,
  { key, untilMs, now }: { key: string; untilMs: number; now: number },
): Promise<void> {
  await tx.run('delete from attempt_limits where until_ms <= ?', [now]);
  await tx.run(...toUpsert('attempt_limits', { key, until_ms: untilMs }, ['key']));
}

/** Forgets the attempts by a key. */
export async function deleteAttempts(tx: Writer, key: string): Promise<void> {
  await tx.run('delete from attempt_limits where key = ?', [key]);
}
