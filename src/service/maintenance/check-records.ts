import type { Appointment } from '../../contract/appointment.ts';
import type { Client } from '../../contract/client.ts';
import type { Payment } from '../../contract/payment.ts';
import type { Stylist } from '../../contract/stylist.ts';
import type { Webhook } from '../../contract/webhook.ts';
import { type CollectionName, collections, type RecordRows } from '../db/record-rows.ts';
import type { DatabaseSnapshot } from '../db/snapshot.ts';
import { toAppointmentRow } from '../domain/booking.ts';
import { toClientRow } from '../domain/client-record.ts';
import { toPaymentRow } from '../domain/payment-record.ts';
import { toStylistRow } from '../domain/stylists.ts';
import { toWebhookRow } from '../domain/webhooks.ts';

type StoredRow = RecordRows[CollectionName] & Readonly<Record<string, unknown>>;

/** What a record's columns must be, from its text. */
const toRow: Readonly<Record<CollectionName, (record: object, row: StoredRow) => object>> = {
  clients: (record, row) => toClientRow(row.account_id, record as Client),
  appointments: (record, row) => toAppointmentRow(row.account_id, record as Appointment),
  stylists: (record, row) => toStylistRow(row.account_id, record as Stylist),
  payments: (record, row) =>
    toPaymentRow(row.account_id, record as Payment, (row['stylist_id'] ?? null) as string | null),
  webhooks: (record, row) => toWebhookRow(row.account_id, record as Webhook),
};

const maxProblems = 100;

/** Compares the columns that find a record with its text. */
export async function findWrongRecords(snapshot: DatabaseSnapshot): Promise<string[]> {
  const problems: string[] = [];
  for (const collection of collections) {
    for await (const rows of snapshot.readRows<StoredRow>(`select * from ${collection}`)) {
      for (const row of rows) {
        const problem = findProblem(collection, row);
        if (problem !== undefined) problems.push(`${row.account_id}, ${row.id}: ${problem}`);
      }
      if (problems.length >= maxProblems) return problems;
    }
  }
  return problems;
}

function findProblem(collection: CollectionName, row: StoredRow): string | undefined {
  const record = parse(row.record);
  if (record === undefined) return 'the record is not a JSON object.';
  const wanted = Object.entries(toRow[collection](record, row));
  const wrong = wanted.filter(([column, value]) => column !== 'record' && row[column] !== value);
  return wrong.length === 0
    ? undefined
    : `${wrong.map(([column]) => column).join(', ')} differ from the record.`;
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
