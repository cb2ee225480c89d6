import type { Reader, Writer } from './engine.ts';
import { updateRecords } from './records.ts';
import type { NewRow } from './tables.ts';

/** One payment's JSON text, and the stylist whose work it paid; undefined when the account has no such payment. */
export function readPaymentRow(
  reader: Reader,
  { accountId, id }: { accountId: string; id: string },
): Promise<Pick<NewRow<'payments'>, 'stylist_id' | 'record'> | undefined> {
  return reader
    .selectFrom('payments')
    .select(['stylist_id', 'record'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Assigns an appointment's payments to the stylist who took the appointment over. */
export async function movePayments(
  tx: Writer,
  moved: { accountId: string; appointmentId: string; stylistId: string },
): Promise<void> {
  const rows = await tx
    .selectFrom('payments')
    .select(['account_id', 'id'])
    .where('account_id', '=', moved.accountId)
    .where('appointment_id', '=', moved.appointmentId)
    .execute();
  await updateRecords(
    tx,
    'payments',
    rows.map((row) => ({ ...row, stylist_id: moved.stylistId })),
  );
}
