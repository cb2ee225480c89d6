import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { addExamples, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { type Outcome, onePage } from '../../output/outcome.ts';
import { columnSet } from '../../print/columns.ts';

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

export function registerProfilesList(parent: Command, frame: Frame): void {
  const command = parent.command('list').description('List the profiles');
  addPrintOptions(command);
  addExamples(command, [['salon profiles list', 'the one in use is marked']]);
  command.action(frame.action(listProfiles));
}

async function listProfiles(call: Call<PrintFlags>): Promise<Outcome> {
  const store = await call.profiles();
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
