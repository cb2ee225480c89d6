import type { Writer } from '../engine.ts';
import type { CollectionName } from '../tables.ts';
import type { CollectionKey } from './blocks.ts';

/**
 * Where a list's last changes are noted, and what of a record: all that decides whether a filter lets it
 * through and where it stands in an order. A list without filters has none.
 */
const changeTables: Readonly<Record<CollectionName, { table: string; columns: string } | undefined>> = {
  appointments: {
    table: 'appointment_changes',
    columns: 'client_id, stylist_id, status, start_ms, created_ms, updated_ms',
  },
  clients: {
    table: 'client_changes',
    columns: 'email, phone_digits, search, last_name_key, created_ms, updated_ms',
  },
  payments: {
    table: 'payment_changes',
    columns: 'client_id, appointment_id, stylist_id, status, created_ms, updated_ms',
  },
  stylists: undefined,
  webhooks: undefined,
};

/** The changes of a list that has filters. */
export function changesOf(collection: CollectionName): { table: string; columns: string } {
  const changes = changeTables[collection];
  if (changes === undefined) {
    throw new Error(`The list of ${collection} has no filters.`);
  }
  return changes;
}

/** Versions whose changes are kept. A count that was last looked at longer ago is made anew. */
const keptVersions = 10_000;
/** Old ones are dropped this many versions at a time. */
const droppedVersions = 250;

/** Notes how a record looks now: with `gain` 1 what has just come, with -1 what is about to go. */
export async function noteChange(
  tx: Writer,
  place: CollectionKey,
  change: { version: number; gain: 1 | -1 } & ({ seq: number } | { id: string }),
): Promise<void> {
  const changes = changeTables[place.collection];
  if (changes === undefined) {
    return;
  }
  const [key, value] = 'seq' in change ? (['seq', change.seq] as const) : (['id', change.id] as const);
  const text = `insert into ${changes.table} (account_id, version, seq, gain, ${changes.columns})
    select account_id, ?, seq, ?, ${changes.columns} from ${place.collection} where account_id = ? and ${key} = ?`;
  await tx.run(text, [change.version, change.gain, place.accountId, value]);
}

/** Drops what is older than anybody may rely on; now and then, so that most writes do not pay for it. */
export async function dropOldChanges(tx: Writer, place: CollectionKey, version: number): Promise<void> {
  if (version > keptVersions && version % droppedVersions === 0) {
    await dropChanges(tx, place, version - keptVersions);
  }
}

/** Drops the changes up to a version. Every count from before it is made anew. */
export async function dropChanges(
  tx: Writer,
  { accountId, collection }: CollectionKey,
  version: number,
): Promise<void> {
  const changes = changeTables[collection];
  if (changes === undefined) {
    return;
  }
  await tx.run(`delete from ${changes.table} where account_id = ? and version <= ?`, [accountId, version]);
  await tx.run(
    'update collections set changes_since = max(changes_since, ?) where account_id = ? and name = ?',
    [version, accountId, collection],
  );
}
