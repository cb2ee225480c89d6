import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addSheetOptions, type EditFlags } from '../../edit/edit-options.ts';
import { editFromSheet } from '../../edit/edit-sheet.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmationOptions, addPrintOptions, addWriteOptions } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import type { BookAppointmentFlags } from './book-appointment.ts';
import { addBookingOptions } from './booking-flags.ts';

interface Flags extends EditFlags, BookAppointmentFlags {}

export function registerAppointmentsCreate(parent: Command, runner: ActionRunner): void {
  const command = parent.command('create').description('Book an appointment, or one per row of a file');
  addSheetOptions(addWriteOptions(addBookingOptions(command)));
  addConfirmationOptions(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon appointments create', 'Book step by step, with prompts'],
    [
      'salon appointments create --client "Ana Costa" --stylist Mia --service Balayage --start "fri 15:00"',
      'Book in one command',
    ],
    ['salon appointments create --file bookings.csv', 'Book one appointment per row of a file'],
  ]);
  command.action(runner.action(createAppointment));
}

async function createAppointment(context: CommandContext<Flags>): Promise<CommandResult> {
  const edited = await editFromSheet({ noun: 'appointments', verb: 'create' }, context);
  if (edited !== undefined) return edited;
  const { bookAppointment } = await import('./book-appointment.ts');
  return bookAppointment(context, { words: [], isAlwaysConfirmed: false });
}
