import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { cleanText } from '../../messages/clean-text.ts';
import { exitCodes } from '../../messages/exit-codes.ts';
import { columnSet } from '../../output/columns.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { addDatabaseOption, type DatabaseFlags, findDatabase } from './database.ts';

export function registerServiceCheck(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('check')
    .description('Check a database or a backup for damage (exit code 1 if found)')
    .addHelpText(
      'after',
      '\nReads everything and changes nothing; a service may be running on the database.',
    );
  addDatabaseOption(command);
  addExamples(command, [
    ['salon service check --database sqlite:salon.db', 'Check a database'],
    ['salon service check --database sqlite:backup.db', 'Check a backup'],
    [
      "salon service check --database sqlite:salon.db --json | jq -r '.[].problems[]'",
      'Print only what is wrong',
    ],
  ]);
  command.action(runner.action(check));
}

const columns = columnSet({ check: 'text', status: 'status', count: 'integer' });

async function check(context: CommandContext<DatabaseFlags>): Promise<CommandResult> {
  const { checkDatabase } = await import('../../../service/maintenance/check.ts');
  const results = await checkDatabase(await findDatabase(context));
  const { messages } = context;
  for (const { check: name, problems } of results) {
    for (const problem of problems) messages.warn(cleanText(`${name}: ${problem}`));
  }
  if (results.some(({ status }) => status === 'skipped')) {
    messages.warn('Some checks were skipped because of the damage.');
  }
  const isSound = results.every(({ status }) => status !== 'failed');
  return {
    show: 'records',
    noun: 'checks',
    columns: { ...columns, all: [...columns.all, { key: 'problems', kind: 'list' }] },
    pages: onePage(results.map((result) => ({ ...result, count: result.problems.length }))),
    ...(isSound ? {} : { exitCode: exitCodes.refused.code }),
  };
}
