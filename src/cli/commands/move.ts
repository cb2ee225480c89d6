import type { Command } from 'commander';
import type { ActionRunner } from '../action-runner.ts';
import { addExamples } from '../flags/help-page.ts';
import { addChangeOptions, addConfirmationOptions, addPrintOptions } from '../flags/options.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { MoveFlags } from './appointments/move-appointment.ts';

export function registerMove(command: Command, runner: ActionRunner): void {
  command
    .argument('[words...]', 'client or appointment ID, then day and time')
    .option('--stylist <who>', 'Change the stylist: name, ID or "anyone"')
    .option('--start <when>', 'Same as day and time')
    .option('--allow-overlap', 'Move even if the stylist is busy');
  addChangeOptions(command);
  addConfirmationOptions(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon move Ana Costa fri 11:00', 'Move her upcoming appointment; the stylist stays'],
    ['salon move Ana Costa fri 11:00 with Theo', 'Move it to another stylist, too'],
    ['salon move Ana Costa fri', 'Choose among the free times on Friday'],
  ]);
  command.action(
    runner.action(async (context: CommandContext<MoveFlags>, words: readonly string[]) => {
      const { moveAppointment } = await import('./appointments/move-appointment.ts');
      return moveAppointment(context, words);
    }),
  );
}
