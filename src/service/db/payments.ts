import type { Reader, Writer } from './engine.ts';
import type { NewRow } from './record-rows.ts';
import { updateRecords } from './records.ts';

/** One payment's JSON text, and the stylist whose work it paid; undefined when the account has no such payment. */
export async function readPaymentRow(
  reader: Reader,
  { accountId, id }: { accountId: string; id: string },
): Promise<Pick<NewRow<'payments'>, 'stylist_id' | 'record'> | undefined> {
  const text = 'select stylist_id, record from payments where account_id = ? and id = ?';
  const [row] = await reader.run<Pick<NewRow<'payments'>, 'stylist_id' | 'record'>>(text, [accountId, id]);
  return row;
}

/** Assigns an appointment's payments to the stylist who took the appointment over. */
export async function movePayments(
  tx: Writer,
  moved: { accountId: string; appointmentId: string; stylistId: string },
): Promise<void> {
  const text = 'select account_id, id from payments where account_id = ? and appointment_id = ?';
  const rows = await tx.run<{ account_id: string; id: string }>(text, [moved.accountId, moved.appointmentId]);
  await updateRecords(
    tx,
    'payments',
    rows.map((row) => ({ ...row, stylist_id: moved.stylistId })),
  );
}
