import type { Appointment, AppointmentStatus } from '../../../contract/appointment.ts';
import type { Client } from '../../../contract/client.ts';
import { isIdentifier } from '../../../contract/identifiers.ts';
import type { Stylist } from '../../../contract/stylist.ts';
import type { Database } from '../../db/database.ts';
import type { Writer } from '../../db/engine.ts';
import { appendRows, type NewRows } from '../../db/lists/append-rows.ts';
import { readStylistStatus } from '../../db/stylists.ts';
import { findAccount } from '../accounts.ts';
import { toAppointmentRow } from '../booking.ts';
import { toClientRow } from '../client-record.ts';
import type { Environment } from '../context.ts';
import { toStylistRow } from '../stylists.ts';

/** Records of another service, identifiers and all. */
export interface RecordSources {
  readonly clients?: AsyncIterable<SourceRecord>;
  readonly appointments?: AsyncIterable<SourceRecord>;
}

export interface LoadOptions extends RecordSources {
  /** Not needed while the database has one account. */
  readonly accountId?: string;
}

/** How many of each were added; of stylists, how many were named. */
export interface LoadedCounts {
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
): Promise<LoadedCounts> {
  const account = await findAccount(database.reader, accountId);
  const at = environment.now().toISOString();
  const stylistIds = new Set<string>();

  const loaded = {
    clients: await load(clients, (records) => {
      const known = records.flatMap((record) => toClient(record, at) ?? []);
      const rows = known.map((client) => toClientRow(account.id, client));
      return { collection: 'clients', rows, stylistIds: known.map((client) => client.preferred_stylist_id) };
    }),
    appointments: await load(appointments, (records) => {
      const known = records.flatMap((record) => toAppointment(record, at) ?? []);
      const rows = known.map((appointment) => toAppointmentRow(account.id, appointment));
      return { collection: 'appointments', rows, stylistIds: known.map(({ stylist_id }) => stylist_id) };
    }),
  };
  return { ...loaded, stylists: stylistIds.size };

  async function load(
    records: AsyncIterable<SourceRecord> | undefined,
    toRows: (batch: readonly SourceRecord[]) => NewRows & { stylistIds: readonly (string | null)[] },
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
      const standing = await readStylistStatus(tx, { accountId: account.id, id });
      if (standing === undefined) rows.push(toStylistRow(account.id, createPlaceholderStylist(id, at)));
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

/** A record as some server answered it: any members, of any kind. */
export type SourceRecord = Readonly<Record<string, unknown>>;

/**
 * The client that a foreign record tells of. What the contract does not know stays, what it knows becomes of its
 * kind; rules are not checked. Undefined where nobody could ask for the record by its identifier.
 */
export function toClient(record: SourceRecord, at: string): Client | undefined {
  const id = toText(record['id']);
  if (id === null || !isIdentifier(id)) return undefined;
  return {
    ...record,
    id,
    first_name: toText(record['first_name']),
    last_name: toText(record['last_name']),
    email: toText(record['email']),
    phone: toText(record['phone']),
    birthday: toText(record['birthday']),
    notes: toText(record['notes']),
    preferred_stylist_id: toText(record['preferred_stylist_id']),
    tags: toTexts(record['tags']),
    email_marketing_consent: record['email_marketing_consent'] === true,
    sms_marketing_consent: record['sms_marketing_consent'] === true,
    external_id: toText(record['external_id']),
    created_at: toInstant(record['created_at'], at),
    updated_at: toInstant(record['updated_at'], at),
  };
}

/** The same for an appointment. */
export function toAppointment(record: SourceRecord, at: string): Appointment | undefined {
  const id = toText(record['id']);
  if (id === null || !isIdentifier(id)) return undefined;
  const duration = record['duration'];
  return {
    ...record,
    id,
    client_id: toText(record['client_id']) ?? '',
    stylist_id: toText(record['stylist_id']) ?? '',
    service: toText(record['service']) ?? '',
    start_time: toInstant(record['start_time'], at),
    duration: Number.isInteger(duration) ? Number(duration) : 0,
    status: (toText(record['status']) ?? 'confirmed') as AppointmentStatus,
    notes: toText(record['notes']),
    cancellation_reason: toText(record['cancellation_reason']),
    created_at: toInstant(record['created_at'], at),
    updated_at: toInstant(record['updated_at'], at),
  };
}

/** A stylist of whom no more than the identifier is known. */
export function createPlaceholderStylist(id: string, at: string): Stylist {
  return {
    id,
    first_name: null,
    last_name: null,
    display_name: id,
    email: null,
    phone: null,
    active: true,
    services: [],
    created_at: at,
    updated_at: at,
  };
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
}

function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((item) => toText(item) ?? []) : [];
}

function toInstant(value: unknown, otherwise: string): string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : otherwise;
}
