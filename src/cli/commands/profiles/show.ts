import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { columnSet } from '../../output/columns.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

const columns = columnSet({ setting: 'text', value: 'text', from: 'text' });

export function registerProfilesShow(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('show')
    .argument('[profile]', 'a profile; the one in use when left out')
    .description('Show every setting in force, and where each came from');
  addPrintOptions(command);
  addExamples(command, [['SALON_BASE_URL=https://… salon profiles show', 'what the environment changes']]);
  command.action(runner.action(showProfile));
}

async function showProfile(
  context: CommandContext<PrintFlags>,
  name: string | undefined,
): Promise<CommandResult> {
  const { profileName, profile, settings } = await context.session(name);
  const { credential, ...plain } = settings;
  const rows = Object.entries(plain).map(([setting, given]) => ({
    setting: setting.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value: given === undefined ? null : String(given.value),
    from: given?.source ?? 'default',
  }));
  rows.unshift({ setting: 'profile', value: profileName ?? null, from: name ? 'flag' : 'default' });
  rows.push({
    setting: 'key',
    value: credential ? maskKey(credential.value.key) : null,
    from: credential?.source ?? 'default',
  });
  for (const [part, value] of Object.entries(profile?.dialect ?? {})) {
    rows.push({ setting: `dialect.${part}`, value: JSON.stringify(value), from: 'profile' });
  }
  return { show: 'records', noun: 'settings', columns, pages: onePage(rows) };
}

/** Enough to tell two keys apart, too little to use one. */
function maskKey(key: string): string {
  return key.length > 12 ? `${key.slice(0, 6)}…${key.slice(-2)}` : '…';
}
