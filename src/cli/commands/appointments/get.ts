import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { addExamples, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { appointmentColumns } from '../../print/columns.ts';

export function registerAppointmentsGet(parent: Command, frame: Frame): void {
  const command = parent
    .command('get')
    .argument('<id>', 'identifier of the appointment')
    .description('Show one appointment');
  addPrintOptions(command);
  addExamples(command, [
    ['salon appointments get apt_01jd…', 'everything the salon knows about this appointment'],
  ]);
  command.action(frame.action(getAppointment));
}

async function getAppointment(call: Call<PrintFlags>, id: string): Promise<Outcome> {
  const client = await call.client();
  return { show: 'record', record: await client.appointments.get(id), columns: appointmentColumns };
}
