import type { Database } from '../database.ts';

/** Small enough that nobody waits long for the transaction. */
const mostDropped = 200;

/**
 * Drops some of the events, deliveries and tries from before a moment. Answers whether there may be more.
 * The oldest come first, so a few rows tell whether there are any; only then is anything written.
 */
export async function dropOldDeliveries(
  { read, transaction }: Pick<Database, 'read' | 'transaction'>,
  beforeMs: number,
): Promise<boolean> {
  const [oldest] = await read<{ event: number | null; delivery: number | null }>(
    `select (select created_ms from events order by seq limit 1) as event,
      (select created_ms from deliveries order by seq limit 1) as delivery`,
    {},
  );
  const first = Math.min(oldest?.event ?? beforeMs, oldest?.delivery ?? beforeMs);
  if (first >= beforeMs) return false;
  const dropped = await transaction(async (tx) => {
    const olds = `select id from deliveries where seq in (select seq from deliveries order by seq limit ${mostDropped})
      and created_ms < ?`;
    await tx.run(`delete from delivery_attempts where delivery_id in (${olds})`, [beforeMs]);
    const deliveries = await tx.run(`${dropFrom('deliveries')} returning seq`, [beforeMs]);
    const events = await tx.run(`${dropFrom('events')} and ${isDelivered} returning seq`, [beforeMs]);
    return deliveries.length + events.length;
  });
  return dropped > 0;
}

/** Deliveries follow the order of their events, so those before the first one's have none left. */
const isDelivered = 'seq < ifnull((select event_seq from deliveries order by seq limit 1), seq + 1)';

function dropFrom(table: 'deliveries' | 'events'): string {
  return `delete from ${table} where created_ms < ?
    and seq in (select seq from ${table} order by seq limit ${mostDropped})`;
}
