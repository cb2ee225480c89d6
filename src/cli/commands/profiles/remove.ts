import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { addExamples, addYesOption } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { requireProfile } from '../../session/session.ts';

export function registerProfilesRemove(parent: Command, frame: Frame): void {
  const command = parent.command('remove').argument('<name>').description('Forget a profile and its key');
  addYesOption(command);
  addExamples(command, [['salon profiles remove shop --yes', 'without being asked']]);
  command.action(frame.action(removeProfile));
}

async function removeProfile(call: Call, name: string): Promise<Outcome> {
  const store = await call.profiles();
  requireProfile(store, name);
  await call.consentHere(`Forget profile ${name} and its key?`);
  store.remove(name);
  return { show: 'nothing', said: `Forgot profile ${name}.` };
}
