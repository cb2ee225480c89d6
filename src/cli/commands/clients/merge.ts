import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmationOptions, collect, joinLists } from '../../flags/options.ts';
import type { MergeFlags } from '../../merge/merge-clients.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export function registerClientsMerge(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('merge')
    .argument('[client]', 'client who stays: name, email, phone or ID')
    .argument('[duplicate]', 'client who is merged into them')
    .description('Merge a duplicate into a client')
    .option('--prefer <fields>', 'Take these fields from the duplicate, e.g. phone,email', joinLists)
    .option('--set <field=value>', 'Set a field; field:=json for JSON; repeatable', collect)
    .option(
      '--delete-anyway',
      'Without a merge endpoint: delete the duplicate even if something stays with it',
    )
    .option('-n, --dry-run', 'Show how the fields are combined; change nothing');
  addConfirmationOptions(command).addHelpText('after', rules);
  addExamples(command, [
    ['salon clients merge "Ana Costa" cli_01jd…', 'Merge after showing what happens'],
    ['salon clients merge ana@costa.example "Anna Costa" --prefer phone', "Use the duplicate's phone"],
    ['salon jobs undo 20261121-093000-1f2e3d', 'Undo a merge (our service: for 30 days)'],
  ]);
  command.action(runner.action(merge));
}

const rules = `
How fields are combined:
  Names and contact details stay and are filled in from the duplicate
  Notes are joined, tags are united
  Marketing consent is given only if both gave it
Appointments and payments, past ones too, move to the client.`;

async function merge(
  context: CommandContext<MergeFlags>,
  kept: string | undefined,
  other: string | undefined,
): Promise<CommandResult> {
  const { mergeClients } = await import('../../merge/merge-clients.ts');
  return mergeClients(context, [kept, other]);
}
