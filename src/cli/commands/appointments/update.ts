import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addMatchOption, addSheetOptions, type EditFlags } from '../../edit/edit-options.ts';
import { editFromSheet, requireReference, selectsByCondition } from '../../edit/edit-sheet.ts';
import {
  type AppointmentConditionFlags,
  addAppointmentConditions,
  appointmentConditionFlags,
} from '../../flags/appointment-conditions.ts';
import { type FieldValues, readFields } from '../../flags/fields.ts';
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
import { appointmentReference, loadPeople } from './references.ts';

interface Flags extends ChangeFlags, EditFlags, AppointmentConditionFlags, BookingFlags {
  readonly allowEarly?: boolean;
}

export function registerAppointmentsUpdate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('update')
    .argument('[appointment...]', appointmentReference)
    .description('Edit an appointment, those that match conditions, or one per row of a file');
  addChangeOptions(addBookingOptions(command));
  command.option('--allow-early', 'Allow arrived, completed, no_show days early');
  addAppointmentConditions(command);
  addSheetOptions(addMatchOption(command));
  addConfirmationOptions(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon appointments update Ana Costa --start "fri 11:00"', 'Reschedule her upcoming appointment'],
    [
      'salon appointments update --where-stylist Mia --where-date tomorrow --stylist Theo',
      "Move a sick stylist's day",
    ],
    ['salon appointments update Ana Costa --status arrived', 'Mark the client as arrived'],
  ]);
  command.action(runner.action(updateAppointment));
}

async function updateAppointment(
  context: CommandContext<Flags>,
  words: readonly string[],
): Promise<CommandResult> {
  const reference = words.length === 0 ? undefined : words.join(' ');
  const isByCondition = selectsByCondition(context.flags, appointmentConditionFlags, reference);
  const edited = isByCondition
    ? undefined
    : await editFromSheet({ noun: 'appointments', verb: 'update' }, context, reference);
  if (edited !== undefined) return edited;
  const change = await readChange(context);
  if (isByCondition) {
    const { editSelectedAppointments } = await import('../../edit/edit-appointments.ts');
    return editSelectedAppointments({ verb: 'update', set: change }, context);
  }
  const { findAppointment, describeAppointment, confirmStatus } = await loadPeople();
  const given = requireReference(reference, 'appointment');
  const found = await findAppointment(given, context, { isWrite: true });
  if (context.flags.dryRun !== true) await confirmStatus(change['status'], found, context);
  const { confirmUnusualTime } = await import('../../availability/confirm-time.ts');
  await confirmUnusualTime(change, found, context);
  return changeRecord(context, {
    noun: 'appointments',
    id: found.id,
    change,
    describe: (record) =>
      describeAppointment(record, context, 'client_id' in change ? undefined : found.client),
  });
}

async function readChange(context: CommandContext<Flags>): Promise<FieldValues> {
  const { flags, io } = context;
  const { resolvePeople } = await loadPeople();
  const fields = await readFields(flags, io);
  const people = await resolvePeople(context, { isWrite: true });
  const change = await normaliseBooking({ ...toBookingFields(flags), ...people, ...fields }, context);
  if (flags.allowEarly === true && Object.keys(change).length > 0) change['allow_early'] = true;
  return change;
}
