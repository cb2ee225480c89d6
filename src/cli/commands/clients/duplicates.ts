import { type Command, Option } from 'commander';
import type { Sureness } from '../../../bulk/merge/duplicate-evidence.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

interface Flags extends PrintFlags {
  readonly sure: Sureness;
}

const levels: readonly Sureness[] = ['certain', 'likely', 'possible'];

export function registerClientsDuplicates(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('duplicates')
    .description('List clients who may be there twice')
    .addOption(
      new Option('--sure <level>', 'List pairs that are at least this sure')
        .choices(levels)
        .default('likely'),
    );
  addPrintOptions(command).addHelpText('after', explanation);
  addExamples(command, [
    ['salon clients duplicates', 'List certain and likely duplicates'],
    ['salon clients duplicates --sure possible -o duplicates.xlsx', 'Review all of them in a spreadsheet'],
    [`salon clients duplicates --sure certain --json | jq -r '.[].duplicate_id'`, 'Print the later ones'],
  ]);
  command.action(runner.action(list));
}

const explanation = `
Compared are phone numbers in any written form, email addresses and names
(accents, case and word order do not matter, one letter may differ).
  certain   Same name, and same phone or email
  likely    Similar name, and same phone, email or birthday
            Same name, and nothing else differs
  possible  Same phone or same name only: perhaps a family or a common name`;

async function list(context: CommandContext<Flags>): Promise<CommandResult> {
  const { listDuplicates } = await import('../../merge/duplicates.ts');
  return listDuplicates(context, context.flags.sure);
}
