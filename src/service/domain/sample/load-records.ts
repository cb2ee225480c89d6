import type { Database } from '../../db/database.ts';
import type { Writer } from '../../db/engine.ts';
import { appendRows, type NewRows } from '../../db/lists/append-rows.ts';
import { readStylistStanding } from '../../db/stylists.ts';
import { readAccount } from '../accounts/accounts.ts';
import { toAppointmentRow } from '../appointments/appointment-record.ts';
import { toClientRow } from '../clients/client-record.ts';
import type { Environment } from '../context.ts';
import { toStylistRow } from '../stylists/stylist-record.ts';
import {
  type ForeignRecord,
  toLoadedAppointment,
  toLoadedClient,
  toNamedStylist,
} from './foreign-records.ts';

/** Records of another service, identifiers and all. */
export interface RecordsToLoad {
  readonly clients?: AsyncIterable<ForeignRecord>;
  readonly appointments?: AsyncIterable<ForeignRecord>;
}

export interface LoadOptions extends RecordsToLoad {
  /** Not needed while the database has one account. */
  readonly accountId?: string;
}

/** How many of each were added; of stylists, how many were named. */
export interface Loaded {
  readonly clients: number;
  readonly appointments: number;
  readonly stylists: number;
}

/** Records of one transaction: what is held of them at a time. */
const batchSize = 5_000;

/**
 * Adds records as they are on another service, in the order they come, and every stylist they name who is missing. They need not
 * follow the rules; those without a usable identifier are left out. When it throws, what came before is loaded.
 */
export async function loadRecords(
  database: Database,
  environment: Environment,
  { accountId, clients, appointments }: LoadOptions,
): Promise<Loaded> {
  const account = await readAccount(database.reader, accountId);
  const at = environment.now().toISOString();
  const stylistIds = new Set<string>();

  const loaded = {
    clients: await load(clients, (records) => {
      const known = records.flatMap((record) => toLoadedClient(record, at) ?? []);
      const rows = known.map((client) => toClientRow(account.id, client));
      return { collection: 'clients', rows, stylistIds: known.map((client) => client.preferred_stylist_id) };
    }),
    appointments: await load(appointments, (records) => {
      const known = records.flatMap((record) => toLoadedAppointment(record, at) ?? []);
      const rows = known.map((appointment) => toAppointmentRow(account.id, appointment));
      return { collection: 'appointments', rows, stylistIds: known.map(({ stylist_id }) => stylist_id) };
    }),
  };
  return { ...loaded, stylists: stylistIds.size };

  async function load(
    records: AsyncIterable<ForeignRecord> | undefined,
    toRows: (batch: readonly ForeignRecord[]) => NewRows & { stylistIds: readonly (string | null)[] },
  ): Promise<number> {
    let count = 0;
    for await (const batch of inBatches(records ?? [])) {
      const added = toRows(batch);
      await database.transaction(async (tx) => {
        await addStylists(tx, added.stylistIds);
        await appendRows(tx, account.id, added);
      });
      count += added.rows.length;
    }
    return count;
  }

  async function addStylists(tx: Writer, named: readonly (string | null)[]): Promise<void> {
    const rows = [];
    for (const id of new Set(named)) {
      if (!id || stylistIds.has(id)) continue;
      stylistIds.add(id);
      const standing = await readStylistStanding(tx, { accountId: account.id, id });
      if (standing === undefined) rows.push(toStylistRow(account.id, toNamedStylist(id, at)));
    }
    await appendRows(tx, account.id, { collection: 'stylists', rows });
  }
}

/** Reading goes on in between, so that no transaction waits for whoever delivers. */
async function* inBatches<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
): AsyncGenerator<readonly Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length === batchSize) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
}
