import type { Database } from '../database.ts';

/** Where rows end by themselves, and how long each is kept after that to tell it from an unknown one. */
const expiries = [
  { table: 'sessions', column: 'expires_ms', keptMs: 0 },
  { table: 'used_tickets', column: 'expires_ms', keptMs: 0 },
  { table: 'attempt_limits', column: 'until_ms', keptMs: 0 },
  { table: 'oauth_tokens', column: 'expires_ms', keptMs: 3_600_000 },
  { table: 'oauth_grants', column: 'expires_ms', keptMs: 30 * 86_400_000 },
  { table: 'one_time_links', column: 'expires_ms', keptMs: 30 * 86_400_000 },
] as const;

/**
 * Deletes sessions, tokens and links that ended long enough ago. New ones delete them, too: this is for salons where
 * nobody signs in any more. `idleSince`: sessions without use since then have ended.
 */
export async function deleteExpiredSignIns(
  { reader, transaction }: Pick<Database, 'reader' | 'transaction'>,
  { nowMs, idleSinceMs }: { nowMs: number; idleSinceMs: number },
): Promise<void> {
  const ended = [
    ...expiries.map(({ table, column, keptMs }) => ({ table, column, untilMs: nowMs - keptMs })),
    { table: 'sessions', column: 'last_used_ms', untilMs: idleSinceMs },
  ].map(({ table, column, untilMs }) => ({ from: `from ${table} where ${column} <= ?`, untilMs }));
  const due: typeof ended = [];
  for (const rows of ended) {
    const found = await reader.run(`select 1 ${rows.from} limit 1`, [rows.untilMs]);
    if (found.length > 0) due.push(rows);
  }
  if (due.length === 0) return;
  await transaction('rows', async (tx) => {
    for (const { from, untilMs } of due) await tx.run(`delete ${from}`, [untilMs]);
  });
}
