import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { columnSet } from '../../output/columns.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

const columns = columnSet({
  current: 'boolean',
  name: 'text',
  base_url: 'text',
  account: 'text',
  role: 'text',
  signed_in: 'boolean',
  protected: 'boolean',
  read_only: 'boolean',
});

export function registerProfilesList(parent: Command, runner: ActionRunner): void {
  const command = parent.command('list').description('List the profiles');
  addPrintOptions(command);
  addExamples(command, [['salon profiles list', 'the one in use is marked']]);
  command.action(runner.action(listProfiles));
}

async function listProfiles(context: CommandContext<PrintFlags>): Promise<CommandResult> {
  const store = await context.profiles();
  const current = store.currentName();
  const rows = Object.entries(store.all()).map(([name, profile]) => ({
    current: name === current,
    name,
    base_url: profile.base_url,
    account: profile.account?.name ?? null,
    role: profile.account?.role ?? null,
    signed_in: profile.credential !== undefined,
    protected: profile.protected ?? false,
    read_only: profile.read_only ?? false,
  }));
  return { show: 'records', noun: 'profiles', columns, pages: onePage(rows) };
}
