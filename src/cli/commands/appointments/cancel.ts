import type { Command } from 'commander';
import { retell, SalonError } from '../../../contract/errors.ts';
import type { Call } from '../../call.ts';
import { previewChange } from '../../change-record.ts';
import type { Frame } from '../../frame.ts';
import { addConfirmOption, addExamples, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { toOutcome } from '../../output/written.ts';
import { appointmentColumns } from '../../print/columns.ts';

interface Flags extends PrintFlags {
  readonly reason?: string;
  readonly dryRun?: boolean;
}

export function registerAppointmentsCancel(parent: Command, frame: Frame): void {
  const command = parent
    .command('cancel')
    .argument('<id>', 'identifier of the appointment')
    .description('Cancel an appointment and free its stylist’s time; this is not undone')
    .option('--reason <text>', 'why, kept with the appointment')
    .option('-n, --dry-run', 'show what would change, cancel nothing');
  addConfirmOption(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon appointments cancel apt_01jd…', 'frees the slot'],
    ['salon appointments cancel apt_01jd… --reason "Client is ill"', 'with a reason'],
  ]);
  command.action(frame.action(cancelAppointment));
}

async function cancelAppointment(call: Call<Flags>, id: string): Promise<Outcome> {
  const { reason, dryRun } = call.flags;
  if (dryRun) {
    const said = reason === undefined ? {} : { cancellation_reason: reason };
    return previewChange(call, { noun: 'appointments', id, change: { status: 'cancelled', ...said } });
  }
  const client = await call.client();
  try {
    const written = await client.appointments.cancel(id, { reason });
    return toOutcome(written, { done: 'Cancelled appointment', columns: appointmentColumns });
  } catch (error) {
    if (!(error instanceof SalonError) || error.code !== 'endpoint_missing') throw error;
    throw retell(error, { hint: `Try: salon appointments update ${id} --status cancelled` });
  }
}
