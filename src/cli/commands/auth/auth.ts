import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { requireProfile } from '../../session/session.ts';
import { registerAuthLogin } from './login.ts';

export function registerAuth(auth: Command, runner: ActionRunner): void {
  registerAuthLogin(auth, runner);

  const logout = auth.command('logout').description("Remove a profile's API key");
  addExamples(logout, [['salon auth logout -p shop', 'Remove the API key from this machine']]);
  logout.action(runner.action(removeKey));

  const status = auth.command('status').description('Check that the API key is accepted');
  addExamples(status, [['salon auth status || salon auth login', 'Sign in if needed']]);
  status.action(runner.action(readStatus));
}

async function removeKey(context: CommandContext): Promise<CommandResult> {
  const store = await context.profiles();
  const { profileName } = await context.session();
  if (profileName === undefined) {
    throw new SalonError('usage', 'No profile is in use.', { hint: 'Choose one with --profile.' });
  }
  const isRemoved = await store.change((profiles) => {
    const { credential, ...kept } = requireProfile(profiles, profileName);
    profiles.save(profileName, kept);
    return credential !== undefined;
  });
  return {
    show: 'nothing',
    message: isRemoved
      ? `Removed the API key of profile ${profileName}.`
      : `Profile ${profileName} has no API key.`,
  };
}

async function readStatus(context: CommandContext): Promise<CommandResult> {
  const { readAccount } = await import('../../session/account.ts');
  const { profileName } = await context.session();
  const account = await readAccount(await context.client());
  const identity = account
    ? `${account.name} (${account.plan}) as ${account.role}`
    : 'a server that does not name the account';
  return {
    show: 'record',
    record: {
      profile: profileName ?? null,
      signed_in: true,
      account: account?.name ?? null,
      role: account?.role ?? null,
    },
    message: `Signed in to ${identity}.`,
  };
}
