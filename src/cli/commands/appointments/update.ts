import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addMatchOption, addSheetOptions, type EditFlags } from '../../edit/edit-options.ts';
import { editFromSheet, requireReference, selectsByCondition } from '../../edit/edit-sheet.ts';
import {
  type AppointmentConditionFlags,
  addAppointmentConditions,
  appointmentConditionFlags,
} from '../../flags/appointment-conditions.ts';
import { readFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  addChangeOptions,
  addConfirmationOptions,
  addPrintOptions,
  type ChangeFlags,
} from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { changeRecord } from '../write-record.ts';
import { addBookingOptions, type BookingFlags, normaliseBooking, toBookingFields } from './booking-flags.ts';

interface Flags extends ChangeFlags, EditFlags, AppointmentConditionFlags, BookingFlags {}

export function registerAppointmentsUpdate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('update')
    .argument('[appointment]', 'appointment ID')
    .description('Edit an appointment, those that match conditions, or one per row of a file');
  addChangeOptions(addBookingOptions(command));
  addAppointmentConditions(command);
  addSheetOptions(addMatchOption(command));
  addConfirmationOptions(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon appointments update apt_01jd… --start 2026-11-24T11:00', 'Reschedule it'],
    ['salon appointments update apt_01jd… --stylist sty_01jd… --duration 1h', 'Change the stylist'],
    ['salon appointments update apt_01jd… --status arrived', 'Mark the client as arrived'],
  ]);
  command.action(runner.action(updateAppointment));
}

async function updateAppointment(
  context: CommandContext<Flags>,
  reference: string | undefined,
): Promise<CommandResult> {
  const { flags, io } = context;
  const given = { ...toBookingFields(flags), ...(await readFields(flags, io)) };
  if (selectsByCondition(flags, appointmentConditionFlags, reference)) {
    const { resolvePeople } = await import('../../people/resolve-filters.ts');
    const { editSelectedAppointments } = await import('../../edit/edit-appointments.ts');
    const people = await resolvePeople(context);
    const set = await normaliseBooking({ ...given, ...people }, context);
    return editSelectedAppointments({ verb: 'update', set }, context);
  }
  const edited = await editFromSheet({ noun: 'appointments', verb: 'update' }, context, reference);
  if (edited !== undefined) return edited;
  const id = requireReference(reference, 'appointment');
  return changeRecord(context, { noun: 'appointments', id, change: await normaliseBooking(given, context) });
}
