import { createHash } from 'node:crypto';
import type { Fields } from '../../client/json-object.ts';
import { maxBookings, type OnConflict } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { fieldsOf, findValueProblem, requiredFieldsOf } from '../input/edit-fields.ts';
import { plainCsv } from '../sheet/sheet-form.ts';
import { type Plan, writePlan } from './plan-file.ts';
import type { RecordPlanning } from './plan-records.ts';

/** How appointments are booked together. */
export interface BookingOptions {
  /** What they are, such as the words that asked for them. Plans and jobs show it. */
  readonly name: string;
  readonly onConflict: OnConflict;
}

/** Plans new appointments, one a row. Throws `usage` for values that the contract does not allow. */
export async function planBookings(
  bookings: readonly Fields[],
  { name, onConflict }: BookingOptions,
  { readAccount, timeZone, into, now }: Omit<RecordPlanning, 'edit'>,
): Promise<Plan> {
  if (name.trim() === '') throw new SalonError('usage', 'The bookings need a name.');
  if (bookings.length === 0 || bookings.length > maxBookings) {
    const message = `One job books 1 to ${maxBookings} appointments, not ${bookings.length}.`;
    throw new SalonError('usage', message);
  }
  bookings.forEach(assertBooking);
  const sha256 = createHash('sha256').update(name).digest('hex');
  const form = { ...plainCsv, columns: [...new Set(bookings.flatMap((booking) => Object.keys(booking)))] };
  const source = { name, sha256, form, isCondition: true } as const;
  const edit = { noun: 'appointments', verb: 'create', match: 'id', force: false, onConflict } as const;
  const head = { createdAt: now.toISOString(), edit, source, account: await readAccount(), timeZone };
  return await writePlan(
    into.planPath,
    { ...head, records: null },
    bookings.map((booking, at) => ({
      ...{ row: at + 1, line: at + 1, act: 'create', id: null },
      ...{ change: booking, cells: booking },
    })),
  );
}

function assertBooking(booking: Fields, at: number): void {
  for (const field of new Set([...requiredFieldsOf('appointments'), ...Object.keys(booking)])) {
    const isMissing = booking[field] === undefined;
    const problem = isMissing
      ? 'It is missing.'
      : findValueProblem(booking[field], fieldsOf('appointments').get(field));
    if (problem !== undefined)
      throw new SalonError('usage', `Invalid ${field} of booking ${at + 1}. ${problem}`);
  }
}
