import { readStatus } from '../../../client/appointment-status.ts';
import type { AppointmentFacts } from '../../../client/read-appointment.ts';
import { SalonError, withContext } from '../../../contract/errors.ts';
import { dayMs } from '../../../time/time.ts';
import type { Handler } from '../../action-runner.ts';
import { assertNotBulk, editFromSheet, requireReference, selectsByFlags } from '../../edit/edit-sheet.ts';
import type { BookingFlags } from '../../flags/booking-flags.ts';
import type { EditFlags } from '../../flags/edit-flags.ts';
import { type FieldValues, readFields } from '../../flags/fields.ts';
import { findShift } from '../../flags/moments.ts';
import type { ChangeFlags, PrintFlags } from '../../flags/options.ts';
import { type AppointmentSelectionFlags, appointmentSelectionFlags } from '../../flags/selection.ts';
import { nouns } from '../../nouns/nouns.ts';
import { toWriteResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { changeRecord, previewChange } from '../write-record.ts';
import type { BookAppointmentFlags } from './book-appointment.ts';
import { normaliseBooking, toBookingFields } from './read-booking.ts';

interface CancelFlags extends PrintFlags, EditFlags, AppointmentSelectionFlags {
  readonly following?: boolean;
  readonly reason?: string;
}

export const cancelAppointments: Handler<CancelFlags> = async (context, words) => {
  const { reason, dryRun } = context.flags;
  const reference = words.length === 0 ? undefined : words.join(' ');
  if (selectsByFlags(context.flags, appointmentSelectionFlags, reference)) {
    const { editSelectedAppointments } = await import('../../edit/edit-selected.ts');
    const { withCalls } = await import('../../booking/affected-visits.ts');
    return withCalls(await editSelectedAppointments({ verb: 'delete', reason }, context), context);
  }
  if (context.flags.following !== true) assertNotBulk(context.flags);
  const given = requireReference(reference, 'appointment');
  const { findAppointment, describeAppointment, confirmStatus } = await loadPeople();
  const found = await findAppointment(given, context, { isWrite: true });
  const { id } = found;
  const { findFollowing } = await import('../../booking/following.ts');
  const toCommand = (next: AppointmentFacts) => ['appointments', 'cancel', next.id];
  const following = await findFollowing(found, toCommand, context);
  if (dryRun && following === undefined) {
    const change = { status: 'cancelled', ...(reason !== undefined && { cancellation_reason: reason }) };
    const describe = (record: object) => describeAppointment(record, context, found.client);
    return previewChange(context, { noun: 'appointments', id, change, describe }, ({ appointments }) =>
      appointments.cancel(id, { reason }),
    );
  }
  try {
    if (following !== undefined) {
      const { withCalls } = await import('../../booking/affected-visits.ts');
      const { editSelectedAppointments } = await import('../../edit/edit-selected.ts');
      const result = await editSelectedAppointments({ verb: 'delete', reason }, context, following);
      return await withCalls(result, context);
    }
    const shown = await confirmStatus('cancelled', found, context);
    const client = await context.client();
    const written = await client.appointments.cancel(id, { reason });
    const subject = shown ?? (await describeAppointment({ ...written.record, id }, context, found.client));
    const { columns } = nouns.appointments;
    const result = toWriteResult(written, { done: 'Cancelled', subject, columns });
    const { findFreed, withWaiting } = await import('../../booking/waiting.ts');
    // Its time is that of before; its status then does not matter.
    const before = { ...written.record, status: undefined };
    return withWaiting(result, findFreed(before, written.record), context);
  } catch (error) {
    if (!(error instanceof SalonError) || error.code !== 'not_supported') throw error;
    throw withContext(error, { hint: `Try: salon appointments update ${id} --status cancelled` });
  }
};

export const createAppointments: Handler<EditFlags & BookAppointmentFlags> = async (context) => {
  const edited = await editFromSheet({ noun: 'appointments', verb: 'create' }, context);
  if (edited !== undefined) return edited;
  const { bookAppointment } = await import('./book-appointment.ts');
  return bookAppointment(context);
};

interface UpdateFlags extends ChangeFlags, EditFlags, AppointmentSelectionFlags, BookingFlags {
  readonly allowEarly?: boolean;
}

export const updateAppointments: Handler<UpdateFlags> = async (context, words) => {
  const reference = words.length === 0 ? undefined : words.join(' ');
  const isSelection = selectsByFlags(context.flags, appointmentSelectionFlags, reference);
  const edited = isSelection
    ? undefined
    : await editFromSheet({ noun: 'appointments', verb: 'update' }, context, reference);
  if (edited !== undefined) return edited;
  if (isSelection) {
    const { stylist = '', start = '' } = context.flags;
    const toAnyone = /^anyone$/i.test(stylist.trim());
    const shiftMs = toShiftMs(start);
    const flags = {
      ...context.flags,
      stylist: toAnyone ? undefined : context.flags.stylist,
      start: shiftMs === undefined ? context.flags.start : undefined,
    } as UpdateFlags;
    const set = await readChange({ ...context, flags }, true);
    const { editSelectedAppointments } = await import('../../edit/edit-selected.ts');
    const result = await editSelectedAppointments({ verb: 'update', set, shiftMs, toAnyone }, context);
    if (readStatus(set['status']) !== 'cancelled') return result;
    return (await import('../../booking/affected-visits.ts')).withCalls(result, context);
  }
  const change = await readChange(context);
  const { findAppointment, describeAppointment, confirmStatus } = await loadPeople();
  const given = requireReference(reference, 'appointment');
  const found = await findAppointment(given, context, { isWrite: true });
  if (context.flags.dryRun !== true) await confirmStatus(change['status'], found, context);
  const { confirmUnusualTime } = await import('../../availability/check-booking-time.ts');
  await confirmUnusualTime(change, found, context);
  return changeRecord(context, {
    noun: 'appointments',
    id: found.id,
    change,
    describe: (record) =>
      describeAppointment(record, context, 'client_id' in change ? undefined : found.client),
  });
};

/** The time of `+3d` or `-1w`, which every appointment keeps its own time of day over; undefined for any other text. */
function toShiftMs(text: string): number | undefined {
  const [, count, unit] = /^([+-]\d{1,4})\s*(d|w|days?|weeks?)$/i.exec(text.trim()) ?? [];
  return unit === undefined ? undefined : Number(count) * (/^w/i.test(unit) ? 7 : 1) * dayMs;
}

async function readChange(context: CommandContext<UpdateFlags>, isBulk = false): Promise<FieldValues> {
  const { flags, io } = context;
  const { resolvePeople } = await loadPeople();
  const fields = await readFields(flags, io);
  const start = fields['start_time'] ?? flags.start;
  if (isBulk && typeof start === 'string' && findShift(start) !== undefined) {
    throw new SalonError('usage', `"${start}" counts from now: all appointments would start at one time.`, {
      hint: 'To shift each by whole days: --start +3d or +1w. For one time for all: a day with a time, e.g. "fri 15:00".',
    });
  }
  const people = await resolvePeople(context, { isWrite: true });
  const change = await normaliseBooking({ ...toBookingFields(flags), ...people, ...fields }, context);
  if (flags.allowEarly === true && Object.keys(change).length > 0) change['allow_early'] = true;
  return change;
}

/** The code that finds and names appointments. */
async function loadPeople() {
  const [filters, finding] = await Promise.all([
    import('../../people/resolve-filters.ts'),
    import('../../people/resolve-appointment.ts'),
  ]);
  return { ...filters, ...finding };
}
