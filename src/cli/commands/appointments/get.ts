import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { appointmentColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export function registerAppointmentsGet(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('get')
    .argument('<id>', 'identifier of the appointment')
    .description('Show one appointment');
  addPrintOptions(command);
  addExamples(command, [
    ['salon appointments get apt_01jd…', 'everything the salon knows about this appointment'],
  ]);
  command.action(runner.action(getAppointment));
}

async function getAppointment(context: CommandContext<PrintFlags>, id: string): Promise<CommandResult> {
  const client = await context.client();
  return { show: 'record', record: await client.appointments.get(id), columns: appointmentColumns };
}
