import type { Command } from 'commander';
import type { ActionRunner } from '../action-runner.ts';
import { addExamples } from '../flags/help-page.ts';
import { addConfirmationOptions, addPrintOptions, addWriteOptions } from '../flags/options.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { BookAppointmentFlags } from './appointments/book-appointment.ts';
import { addBookingOptions, addNewClientOptions } from './appointments/booking-flags.ts';

export function registerBook(command: Command, runner: ActionRunner): void {
  command.argument('[words...]', 'client, "with" stylist, "for" service, day and time; in any order');
  addWriteOptions(addNewClientOptions(addBookingOptions(command)));
  addConfirmationOptions(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon book', 'Book step by step: client, service, stylist, day, free time'],
    ['salon book Ana Costa with Mia for Balayage tomorrow 15:00', 'Book in one line'],
    ['salon book Ana --service Balayage --stylist anyone fri', 'Choose among the free times on Friday'],
  ]);
  command.action(
    runner.action(async (context: CommandContext<BookAppointmentFlags>, words: readonly string[]) => {
      const { bookAppointment } = await import('./appointments/book-appointment.ts');
      return bookAppointment(context, { words, isAlwaysConfirmed: true }) as Promise<CommandResult>;
    }),
  );
}
