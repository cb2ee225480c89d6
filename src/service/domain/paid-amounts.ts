import type { Appointment } from '../../contract/appointment.ts';
import { type Payment, toPaidAmount } from '../../contract/payment.ts';
import type { Reader, Writer } from '../db/engine.ts';
import { readRecord, readRecordTexts } from '../db/records/records.ts';
import { recordAudit } from './audit.ts';
import type { Context } from './context.ts';
import { replaceRecord } from './records.ts';
import { readSettings } from './salon-settings.ts';

/** What payments have paid of an appointment. Without a price, any one currency will do. */
export async function readPaidAmount(
  reader: Reader,
  accountId: string,
  { id, price }: Pick<Appointment, 'id' | 'price'>,
): Promise<number | null> {
  const texts = await readRecordTexts(reader, 'payments', { account_id: accountId, appointment_id: id });
  const currency = price === null ? null : (await readSettings(reader, accountId)).currency;
  const payments: Payment[] = texts.map((text) => JSON.parse(text));
  return toPaidAmount(payments, currency);
}

/** Updates what has been paid of an appointment after one of its payments has changed, without an event. */
export async function updatePaidAmount(tx: Writer, context: Context, id: string | null): Promise<void> {
  const accountId = context.caller.account.id;
  const row = id === null ? undefined : await readRecord(tx, 'appointments', { accountId, id });
  if (row === undefined) return;
  const former: Appointment = JSON.parse(row.record);
  // A process of the release before writes appointments without prices.
  const { price = null } = former;
  const paid_amount = await readPaidAmount(tx, accountId, { id: former.id, price });
  if (paid_amount === former.paid_amount) return;
  const changed = { ...former, price, paid_amount };
  const object = await replaceRecord(tx, context, { collection: 'appointments', former, object: changed });
  await recordAudit(tx, context, { action: 'appointment.updated', id, former, object });
}
