import type { Command } from 'commander';
import type { ActionRunner } from '../action-runner.ts';
import type { FreeFlags } from '../booking/find-free.ts';
import { addExamples } from '../flags/help-page.ts';
import { addPrintOptions, collect } from '../flags/options.ts';

export function registerFree(command: Command, runner: ActionRunner): void {
  command
    .argument('[when...]', 'today (default), tomorrow 15:00, sat morning, Mia fri')
    .option('--from <when>', 'First day or time, e.g. mon')
    .option('--to <when>', 'Last day or time (default: a week)')
    .option('--service <name>', 'For this service, in its usual time')
    .option('--duration <time>', 'For this long, e.g. 45m (default: 30m)')
    .option('--stylist <who>', 'Only this stylist: name, email, phone or ID; repeatable', collect)
    .option('--every <time>', 'Time between possible starts (default: 15m)');
  addPrintOptions(command);
  addExamples(command, [
    ['salon free tomorrow 15:00 --duration 45m', 'Show who is free at three'],
    ['salon free sat morning', 'Show who is free when on Saturday morning'],
    ['salon free --from mon --to fri --service Balayage', 'Find time for a service, by stylist'],
  ]);
  command.action(
    runner.action<FreeFlags, [readonly string[]]>(async (context, words) => {
      const { findFree } = await import('../booking/find-free.ts');
      return findFree(context, words);
    }),
  );
}
