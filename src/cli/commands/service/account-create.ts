import { type Command, Option } from 'commander';
import { type PlanName, planNames } from '../../../contract/limits.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { parseCount, parseName } from '../../flags/values.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { addDatabaseOption, administer, type DatabaseFlags } from './administer.ts';

interface Flags extends DatabaseFlags {
  readonly name: string;
  readonly plan: PlanName;
  readonly limit?: string;
}

export function registerAccountCreate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('create')
    .description('Make an account, and the database when it is new')
    .requiredOption('--name <name>', 'what the account is called', parseName)
    .addOption(
      new Option('--plan <plan>', 'how many requests an hour it has').choices(planNames).default('pro'),
    )
    .option('--limit <requests>', 'another number of requests an hour than the plan’s');
  addDatabaseOption(command);
  addExamples(command, [
    [
      'salon service account create --name "Salon Aurora" --plan pro --database sqlite:salon.db',
      'the first account',
    ],
  ]);
  command.action(runner.action(createAccount));
}

async function createAccount(context: CommandContext<Flags>): Promise<CommandResult> {
  const { name, plan, limit } = context.flags;
  const hourlyLimit = limit === undefined ? undefined : parseCount(limit, '--limit');
  const wanted = { name, plan, ...(hourlyLimit === undefined ? {} : { hourlyLimit }) };
  const account = await administer(context, (administration) => administration.createAccount(wanted), {
    makes: true,
  });
  return { show: 'record', record: { ...account } };
}
