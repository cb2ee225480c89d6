import type { Reader, Writer } from './engine.ts';
import { addRecord, changeRecords } from './lists/collections.ts';
import { insertRows } from './lists/insert-rows.ts';
import type { Tables } from './tables.ts';

/** A payment's row but for its place, which the list gives. */
export type PaymentRow = Omit<Tables['payments'], 'seq'>;

export function insertPayment(tx: Writer, row: PaymentRow): Promise<void> {
  return addRecord(tx, { accountId: row.account_id, collection: 'payments' }, (seq) =>
    insertRows(tx, 'payments', [{ ...row, seq }]),
  );
}

export function replacePayment(tx: Writer, row: PaymentRow): Promise<void> {
  return replacePayments(tx, row.account_id, [row]);
}

/** One payment's JSON text, and whose work it was for; undefined where the account has no such payment. */
export function readPaymentRow(
  reader: Reader,
  { accountId, id }: { accountId: string; id: string },
): Promise<Pick<PaymentRow, 'stylist_id' | 'record'> | undefined> {
  return reader
    .selectFrom('payments')
    .select(['stylist_id', 'record'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Lets an appointment's payments belong to the calendar that the appointment has moved to. */
export async function movePayments(
  tx: Writer,
  moved: { accountId: string; appointmentId: string; stylistId: string },
): Promise<void> {
  const rows = await tx
    .selectFrom('payments')
    .selectAll()
    .where('account_id', '=', moved.accountId)
    .where('appointment_id', '=', moved.appointmentId)
    .execute();
  if (rows.length > 0) {
    const changed = rows.map(({ seq, ...row }) => ({ ...row, stylist_id: moved.stylistId }));
    await replacePayments(tx, moved.accountId, changed);
  }
}

function replacePayments(tx: Writer, accountId: string, rows: readonly PaymentRow[]): Promise<void> {
  const replace = (row: PaymentRow) =>
    tx
      .updateTable('payments')
      .set(row)
      .where('account_id', '=', accountId)
      .where('id', '=', row.id)
      .execute();
  return changeRecords(tx, { accountId, collection: 'payments' }, { rows, replace });
}
