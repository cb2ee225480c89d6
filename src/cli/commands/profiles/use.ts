import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { addExamples } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { requireProfile } from '../../session/session.ts';

export function registerProfilesUse(parent: Command, frame: Frame): void {
  const command = parent
    .command('use')
    .argument('<name>')
    .description('Work with this profile when none is named');
  addExamples(command, [['salon profiles use shop', 'from now on']]);
  command.action(frame.action(useProfile));
}

async function useProfile(call: Call, name: string): Promise<Outcome> {
  const store = await call.profiles();
  requireProfile(store, name);
  store.use(name);
  return { show: 'nothing', said: `Working with profile ${name}.` };
}
