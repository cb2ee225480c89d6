import type { Command } from 'commander';
import { SalonError, withContext } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addPlanOptions, type EditFlags } from '../../edit/edit-options.ts';
import { assertNotBulk, requireReference, selectsByCondition } from '../../edit/edit-sheet.ts';
import {
  type AppointmentConditionFlags,
  addAppointmentConditions,
  appointmentConditionFlags,
} from '../../flags/appointment-conditions.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmationOptions, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { appointmentColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import { toWriteResult } from '../../output/write-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { previewChange } from '../write-record.ts';
import { appointmentReference, loadPeople } from './references.ts';

interface Flags extends PrintFlags, EditFlags, AppointmentConditionFlags {
  readonly reason?: string;
}

export function registerAppointmentsCancel(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('cancel')
    .argument('[appointment...]', appointmentReference)
    .description('Cancel an appointment (cannot be undone), or all that match conditions')
    .option('--reason <text>', 'Reason, saved with the appointment')
    .option('-n, --dry-run', 'Show what would change; cancel nothing');
  addAppointmentConditions(command);
  addPlanOptions(command);
  addConfirmationOptions(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon appointments cancel Ana Costa', 'Cancel her upcoming appointment, after confirmation'],
    ['salon appointments cancel apt_01jd… --reason "Client is ill"', 'Save a reason'],
    ['salon appointments cancel --where-stylist Mia --where-date tomorrow', "Cancel a sick stylist's day"],
  ]);
  command.action(runner.action(cancelAppointment));
}

async function cancelAppointment(
  context: CommandContext<Flags>,
  words: readonly string[],
): Promise<CommandResult> {
  const { reason, dryRun } = context.flags;
  const reference = words.length === 0 ? undefined : words.join(' ');
  if (selectsByCondition(context.flags, appointmentConditionFlags, reference)) {
    const { editSelectedAppointments } = await import('../../edit/edit-appointments.ts');
    return editSelectedAppointments({ verb: 'delete', reason }, context);
  }
  assertNotBulk(context.flags);
  const given = requireReference(reference, 'appointment');
  const { findAppointment, describeAppointment, confirmStatus } = await loadPeople();
  const found = await findAppointment(given, context, { isWrite: true });
  const { id } = found;
  if (dryRun) {
    const explanation = reason === undefined ? {} : { cancellation_reason: reason };
    const change = { status: 'cancelled', ...explanation };
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
}
