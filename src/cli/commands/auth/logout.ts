import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { addExamples } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';

export function registerAuthLogout(parent: Command, frame: Frame): void {
  const command = parent.command('logout').description('Forget the key of a profile; its settings stay');
  addExamples(command, [
    ['salon auth logout -p shop', 'the key is gone from this machine, not from the service'],
  ]);
  command.action(frame.action(logout));
}

async function logout(call: Call): Promise<Outcome> {
  const store = await call.profiles();
  const { profileName, profile } = await call.session();
  if (profileName === undefined || profile === undefined) {
    throw new SalonError('usage', 'No profile is in use.', { hint: 'Name one with --profile.' });
  }
  const { credential, ...kept } = profile;
  if (credential === undefined) return { show: 'nothing', said: `Profile ${profileName} has no key.` };
  store.save(profileName, kept);
  return { show: 'nothing', said: `Forgot the key of profile ${profileName}.` };
}
