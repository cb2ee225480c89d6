import { CompiledQuery } from 'kysely';
import type { Writer } from './engine.ts';
import type { Tables } from './tables.ts';

/** A webhook that is told of changes. */
export type Listener = Pick<Tables['webhooks'], 'id' | 'events'>;

/** An account's webhooks that are switched on. Runs with every change. */
export async function readListeners(tx: Writer, accountId: string): Promise<Listener[]> {
  const text = 'select id, events from webhooks where account_id = ? and active = 1';
  const { rows } = await tx.executeQuery<Listener>(CompiledQuery.raw(text, [accountId]));
  return rows;
}
