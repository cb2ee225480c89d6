import type { Command } from 'commander';
import { readStatus } from '../../../contract/appointment.ts';
import { SalonError, withContext } from '../../../contract/errors.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { addMatchOption, addPlanOptions, addSheetOptions, type EditFlags } from '../../edit/edit-options.ts';
import { assertNotBulk, editFromSheet, requireReference, selectsByCondition } from '../../edit/edit-sheet.ts';
import { listRecords } from '../../export/list-records.ts';
import {
  type AppointmentConditionFlags,
  addAppointmentConditions,
  appointmentConditionFlags,
} from '../../flags/conditions.ts';
import { type FieldValues, readFields } from '../../flags/fields.ts';
import { findShift, type Range } from '../../flags/moments.ts';
import {
  addChangeOptions,
  addConfirmationOptions,
  addExportOptions,
  addPrintOptions,
  addWriteOptions,
  type ChangeFlags,
  type ExportFlags,
  joinLists,
  type PrintFlags,
} from '../../flags/options.ts';
import { appointmentColumns } from '../../output/columns.ts';
import { toWriteResult } from '../../output/command-result.ts';
import type { PeopleFlags } from '../../people/resolve-filters.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { registerGet } from '../get-record.ts';
import { changeRecord, previewChange } from '../write-record.ts';
import type { BookAppointmentFlags } from './book-appointment.ts';
import { addBookingOptions, type BookingFlags, normaliseBooking, toBookingFields } from './booking-flags.ts';
import { registerAppointmentsCalendar } from './calendar.ts';

export function registerAppointments(appointments: Command, runner: ActionRunner): void {
  const list = appointments
    .command('list')
    .description('List appointments, in the order they were added unless --sort is given')
    .option('--client <who>', 'Filter by client: name, email, phone or ID')
    .option('--stylist <who>', 'Filter by stylist: name, email, phone or ID')
    .option('--status <a,b>', 'Filter by status, e.g. confirmed,arrived', joinLists)
    .option('--from <when>', 'Starting at or after, e.g. today, mon, 24/11/2026')
    .option('--to <when>', 'Starting before; a date includes the whole day')
    .option('--updated-since <when>', 'Changed at or after, e.g. -7d')
    .option('--unpaid', 'Completed, and not fully paid');
  addExportOptions(list);
  runner.add(list, listAppointments, {
    'salon appointments list --from today --to +7d --sort start_time': 'List the coming week',
    'salon appointments list --status no_show --from -30d': 'Find the no-shows of the last 30 days',
    'salon appointments list -f csv -o appointments.csv': 'Export all appointments',
  });

  registerAppointmentsCalendar(appointments, runner);
  registerGet(appointments, runner, {
    noun: 'appointments',
    name: 'appointment',
    columns: appointmentColumns,
    examples: {
      'salon appointments get Ana Costa': "Show a client's upcoming appointment",
      'salon appointments get apt_01jd…': 'Show one by its ID',
    },
    argument: '<appointment...>',
    reference: appointmentReference,
    find: async (reference, context) => (await loadPeople()).findAppointment(reference, context),
  });

  const create = appointments.command('create').description('Book an appointment, or one per row of a file');
  addSheetOptions(addWriteOptions(addBookingOptions(create)), { adds: true });
  addConfirmationOptions(create);
  addPrintOptions(create);
  runner.add(create, createAppointment, {
    'salon appointments create': 'Book step by step, with prompts',
    'salon appointments create --client "Ana Costa" --stylist Mia --service Balayage --start "fri 15:00"':
      'Book in one command',
    'salon appointments create --file bookings.csv': 'Book one appointment per row of a file',
  });

  const update = appointments
    .command('update')
    .argument('[appointment...]', appointmentReference)
    .description('Edit an appointment, those that match conditions, or one per row of a file');
  addChangeOptions(addBookingOptions(update));
  update.option('--allow-early', 'Allow arrived, completed, no_show days early');
  addAppointmentConditions(update);
  addSheetOptions(addMatchOption(update));
  addConfirmationOptions(update);
  addPrintOptions(update);
  runner.add(update, updateAppointment, {
    'salon appointments update Ana Costa --start "fri 11:00"': 'Reschedule her upcoming appointment',
    'salon appointments update --where-stylist Mia --where-date tomorrow --stylist anyone':
      "Spread a sick stylist's day over who is free",
    'salon appointments update --where-date "25 dec" --start +1w': 'Move a day to a week later',
    'salon appointments update Ana Costa --status arrived': 'Mark the client as arrived',
  });

  const cancel = appointments
    .command('cancel')
    .argument('[appointment...]', appointmentReference)
    .description('Cancel an appointment (cannot be undone), or all that match conditions')
    .option('--reason <text>', 'Reason, saved with the appointment')
    .option('-n, --dry-run', 'Show what would change; cancel nothing');
  addAppointmentConditions(cancel);
  addPlanOptions(cancel);
  addConfirmationOptions(cancel);
  addPrintOptions(cancel);
  runner.add(cancel, cancelAppointment, {
    'salon appointments cancel Ana Costa': 'Cancel her upcoming appointment, after confirmation',
    'salon appointments cancel apt_01jd… --reason "Client is ill"': 'Save a reason',
    'salon appointments cancel --where-stylist Mia --where-date tomorrow': "Cancel a sick stylist's day",
  });
}

interface ListFlags extends ExportFlags, PeopleFlags, Range {
  readonly status?: string;
  readonly updatedSince?: string;
  readonly unpaid?: boolean;
}

const listAppointments: Handler<ListFlags> = async (context) => {
  const { client, stylist, status, from, to, updatedSince, unpaid } = context.flags;
  if (unpaid) await (await import('../../availability/salon-facts.ts')).requireServices(context);
  const isOfPeople = client !== undefined || stylist !== undefined;
  const people = isOfPeople ? await import('../../people/resolve-filters.ts') : undefined;
  const ids = (await people?.resolvePeople(context)) ?? {};
  const filters = {
    ...ids,
    status,
    payment: unpaid ? 'due' : undefined,
    start_time_from: { moment: from, edge: 'start' },
    start_time_to: { moment: to, edge: 'end' },
    updated_since: { moment: updatedSince, edge: 'start' },
  } as const;
  const records = await listRecords(context, { noun: 'appointments', columns: appointmentColumns }, filters);
  return people?.refuseUnknown(records, ids, context) ?? records;
};

interface CancelFlags extends PrintFlags, EditFlags, AppointmentConditionFlags {
  readonly reason?: string;
}

const cancelAppointment: Handler<CancelFlags> = async (context, words) => {
  const { reason, dryRun } = context.flags;
  const reference = words.length === 0 ? undefined : words.join(' ');
  if (selectsByCondition(context.flags, appointmentConditionFlags, reference)) {
    const { editSelectedAppointments } = await import('../../edit/edit-selected.ts');
    const { withCalls } = await import('../../booking/affected-visits.ts');
    return withCalls(await editSelectedAppointments({ verb: 'delete', reason }, context), context);
  }
  assertNotBulk(context.flags);
  const given = requireReference(reference, 'appointment');
  const { findAppointment, describeAppointment, confirmStatus } = await loadPeople();
  const found = await findAppointment(given, context, { isWrite: true });
  const { id } = found;
  if (dryRun) {
    const change = { status: 'cancelled', ...(reason !== undefined && { cancellation_reason: reason }) };
    const describe = (record: object) => describeAppointment(record, context, found.client);
    return previewChange(context, { noun: 'appointments', id, change, describe }, ({ appointments }) =>
      appointments.cancel(id, { reason }),
    );
  }
  const shown = await confirmStatus('cancelled', found, context);
  const client = await context.client();
  try {
    const written = await client.appointments.cancel(id, { reason });
    const subject = shown ?? (await describeAppointment({ ...written.record, id }, context, found.client));
    return toWriteResult(written, { done: 'Cancelled', subject, columns: appointmentColumns });
  } catch (error) {
    if (!(error instanceof SalonError) || error.code !== 'not_supported') throw error;
    throw withContext(error, { hint: `Try: salon appointments update ${id} --status cancelled` });
  }
};

interface CreateFlags extends EditFlags, BookAppointmentFlags {}

const createAppointment: Handler<CreateFlags> = async (context) => {
  const edited = await editFromSheet({ noun: 'appointments', verb: 'create' }, context);
  if (edited !== undefined) return edited;
  const { bookAppointment } = await import('./book-appointment.ts');
  return bookAppointment(context);
};

interface UpdateFlags extends ChangeFlags, EditFlags, AppointmentConditionFlags, BookingFlags {
  readonly allowEarly?: boolean;
}

const updateAppointment: Handler<UpdateFlags> = async (context, words) => {
  const reference = words.length === 0 ? undefined : words.join(' ');
  const isByCondition = selectsByCondition(context.flags, appointmentConditionFlags, reference);
  const edited = isByCondition
    ? undefined
    : await editFromSheet({ noun: 'appointments', verb: 'update' }, context, reference);
  if (edited !== undefined) return edited;
  if (isByCondition) {
    const { stylist = '', start = '' } = context.flags;
    const toAnyone = /^anyone$/i.test(stylist.trim());
    const shiftDays = toShiftDays(start);
    const flags = {
      ...context.flags,
      stylist: toAnyone ? undefined : context.flags.stylist,
      start: shiftDays === undefined ? context.flags.start : undefined,
    } as UpdateFlags;
    const set = await readChange({ ...context, flags }, true);
    const { editSelectedAppointments } = await import('../../edit/edit-selected.ts');
    const result = await editSelectedAppointments({ verb: 'update', set, shiftDays, toAnyone }, context);
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

/** The days of `+3d` or `-1w`, which every appointment keeps its own time of day over; undefined for any other text. */
function toShiftDays(text: string): number | undefined {
  const [, count, unit] = /^([+-]\d{1,4})\s*(d|w|days?|weeks?)$/i.exec(text.trim()) ?? [];
  return unit === undefined ? undefined : Number(count) * (/^w/i.test(unit) ? 7 : 1);
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

/** What an appointment may be referred to by, for help. */
const appointmentReference = 'appointment ID, or its client: name, email, phone';

/** The code that finds and names appointments, which help does not need. */
async function loadPeople() {
  const [filters, finding] = await Promise.all([
    import('../../people/resolve-filters.ts'),
    import('../../people/resolve-appointment.ts'),
  ]);
  return { ...filters, ...finding };
}
