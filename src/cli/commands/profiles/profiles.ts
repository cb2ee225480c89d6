import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPrintOptions, addYesOption } from '../../flags/options.ts';
import { columnSet } from '../../output/columns.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { requireProfile } from '../../session/session.ts';
import { endGrant } from '../auth/logout.ts';
import { registerProfilesSet } from './set.ts';
import { registerProfilesShow } from './show.ts';

export function registerProfiles(profiles: Command, runner: ActionRunner): void {
  const list = addPrintOptions(profiles.command('list').description('List profiles'));
  addExamples(list, [['salon profiles list', 'List profiles; the current one is marked']]);
  list.action(runner.action(listProfiles));

  registerProfilesShow(profiles, runner);

  const use = profiles.command('use').argument('<profile>').description('Set the current profile');
  addExamples(use, [['salon profiles use shop', 'Use it unless --profile is given']]);
  use.action(runner.action(useProfile));

  registerProfilesSet(profiles, runner);

  const remove = profiles
    .command('remove')
    .argument('<profile>')
    .description('Remove a profile and its API key');
  addYesOption(remove);
  addExamples(remove, [['salon profiles remove shop --yes', 'Remove it without confirmation']]);
  remove.action(runner.action(removeProfile));
}

const listColumns = columnSet({
  current: 'boolean',
  name: 'text',
  base_url: 'text',
  account: 'text',
  role: 'text',
  signed_in: 'boolean',
  protected: 'boolean',
  read_only: 'boolean',
});

async function listProfiles(context: CommandContext): Promise<CommandResult> {
  const store = await context.profiles();
  const current = store.currentName();
  const rows = Object.entries(store.all()).map(([name, profile]) => ({
    current: name === current,
    name,
    base_url: profile.base_url,
    account: profile.account?.name ?? null,
    role: profile.account?.role ?? null,
    signed_in: (profile.credential ?? profile.oauth) !== undefined,
    protected: profile.protected ?? false,
    read_only: profile.read_only ?? false,
  }));
  return { show: 'records', noun: 'profiles', columns: listColumns, pages: onePage(rows) };
}

async function useProfile(context: CommandContext, name: string): Promise<CommandResult> {
  const store = await context.profiles();
  await store.change((profiles) => {
    requireProfile(profiles, name);
    profiles.use(name);
  });
  return { show: 'nothing', message: `Now using profile ${name}.` };
}

async function removeProfile(context: CommandContext, name: string): Promise<CommandResult> {
  const store = await context.profiles();
  requireProfile(store, name);
  await context.confirmLocal(`Remove profile ${name} and its API key?`);
  const end = await endGrant(context, name);
  await store.change((profiles) => profiles.remove(name));
  if (end?.failure) context.messages.warn(`Could not sign out on the server: ${end.failure.message}`);
  return { show: 'nothing', message: `Removed profile ${name}.` };
}
