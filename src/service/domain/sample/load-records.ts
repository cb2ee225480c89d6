import type { Appointment, AppointmentStatus } from '../../../contract/appointment.ts';
import type { Client } from '../../../contract/client.ts';
import { isIdentifier } from '../../../contract/identifiers.ts';
import type { Stylist } from '../../../contract/stylist.ts';
import type { Writer } from '../../db/engine.ts';
import type { NewRow } from '../../db/record-rows.ts';
import { insertRecords, readStylistStatus } from '../../db/records/records.ts';
import { findAccount, type OperatorServices } from '../accounts.ts';
import { recordByOperator } from '../audit.ts';
import { toStoredRow } from '../records.ts';

/** A record of another server: any members, with any values. */
export type SourceRecord = Readonly<Record<string, unknown>>;

/** Records of another server, with their IDs. */
export interface LoadOptions {
  /** Optional when the database has one account. */
  readonly accountId?: string;
  readonly clients?: AsyncIterable<SourceRecord>;
  readonly appointments?: AsyncIterable<SourceRecord>;
}

/** Records per transaction. */
const batchSize = 5_000;

/**
 * Adds records of another server, in their order, and the stylists they name. Rules are not checked; records without a
 * valid ID are skipped. When it throws, earlier batches stay.
 * Of stylists it counts how many different ones the records name.
 */
export async function loadRecords({ database, environment }: OperatorServices, options: LoadOptions) {
  const { id: accountId } = await findAccount(database.reader, options.accountId);
  const at = environment.now().toISOString();
  const stylistIds = new Set<string>();
  const clients = await load('clients', options.clients, toClient);
  const appointments = await load('appointments', options.appointments, toAppointment);
  return { clients, appointments, stylists: stylistIds.size };

  async function load(
    collection: 'clients' | 'appointments',
    sources: AsyncIterable<SourceRecord> | undefined,
    toRecord: (source: SourceRecord, at: string) => Client | Appointment | undefined,
  ): Promise<number> {
    const stylistField = collection === 'clients' ? 'preferred_stylist_id' : 'stylist_id';
    let total = 0;
    // Batches are read outside of transactions, which therefore never wait for the source.
    for await (const batch of toBatches(sources ?? [])) {
      const records = batch.flatMap((source) => toRecord(source, at) ?? []);
      const rows = records.map((record) => toStoredRow(accountId, collection, record));
      const count = rows.length;
      const named = new Set(records.map((record: SourceRecord) => toText(record[stylistField])));
      await database.transaction({ accountId }, async (tx) => {
        await addStylists(tx, named);
        await insertRecords(tx, { accountId, collection }, { count, rows });
        const event = { accountId, action: 'account.loaded', id: accountId } as const;
        await recordByOperator(tx, environment, { ...event, details: { [collection]: count } });
      });
      total += count;
    }
    return total;
  }

  async function addStylists(tx: Writer, ids: ReadonlySet<string | null>): Promise<void> {
    const rows: NewRow<'stylists'>[] = [];
    for (const id of ids) {
      if (!id) continue;
      stylistIds.add(id);
      const status = await readStylistStatus(tx, { accountId, id });
      if (status === undefined)
        rows.push(toStoredRow(accountId, 'stylists', createPlaceholderStylist(id, at)));
    }
    await insertRecords(tx, { accountId, collection: 'stylists' }, { count: rows.length, rows });
  }
}

export async function* toBatches<Item>(
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
  if (batch.length > 0) yield batch;
}

/**
 * Converts a record to a client. Unknown members stay, known ones get their type. Undefined when the ID cannot be used
 * in a URL.
 */
function toClient(record: SourceRecord, at: string): Client | undefined {
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
    created_at: toTime(record['created_at'], at),
    updated_at: toTime(record['updated_at'], at),
  };
}

/** The same for an appointment. */
function toAppointment(record: SourceRecord, at: string): Appointment | undefined {
  const id = toText(record['id']);
  if (id === null || !isIdentifier(id)) return undefined;
  const duration = record['duration'];
  return {
    ...record,
    id,
    client_id: toText(record['client_id']) ?? '',
    stylist_id: toText(record['stylist_id']) ?? '',
    service: toText(record['service']) ?? '',
    start_time: toTime(record['start_time'], at),
    duration: Number.isInteger(duration) ? Number(duration) : 0,
    status: (toText(record['status']) ?? 'confirmed') as AppointmentStatus,
    notes: toText(record['notes']),
    cancellation_reason: toText(record['cancellation_reason']),
    created_at: toTime(record['created_at'], at),
    updated_at: toTime(record['updated_at'], at),
    // Its payments are not loaded, so that everything would seem to be due.
    price: null,
    paid_amount: 0,
  };
}

/** A stylist of whom only the ID is known. */
function createPlaceholderStylist(id: string, at: string): Stylist {
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
    working_hours: null,
  };
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
}

function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((item) => toText(item) ?? []) : [];
}

function toTime(value: unknown, fallback: string): string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : fallback;
}
