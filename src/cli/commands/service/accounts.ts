import { type Command, Option } from 'commander';
import { closest } from '../../../contract/closest.ts';
import { SalonError } from '../../../contract/errors.ts';
import { type PlanName, planNames } from '../../../contract/limits.ts';
import { type Role, roles, type Scope, scopes } from '../../../contract/roles.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { parseMoment } from '../../flags/days.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addYesOption, joinLists } from '../../flags/options.ts';
import { parseCount, parseList, parseName } from '../../flags/values.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { addDatabaseOption, administer, type DatabaseFlags } from './database.ts';

interface AccountFlags extends DatabaseFlags {
  readonly name: string;
  readonly plan: PlanName;
  readonly limit?: string;
}

export function registerAccountCreate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('create')
    .description('Create an account, and a new database if needed')
    .requiredOption('--name <name>', 'Name of the account', parseName)
    .addOption(new Option('--plan <plan>', 'Plan').choices(planNames).default('pro'))
    .option('--limit <n>', 'Requests per hour (default: limit of the plan)');
  addDatabaseOption(command);
  addExamples(command, [
    ['salon service account create --name "Salon Aurora" --database sqlite:salon.db', 'Create a salon'],
  ]);
  command.action(runner.action(createAccount));
}

async function createAccount(context: CommandContext<AccountFlags>): Promise<CommandResult> {
  const { name, plan, limit } = context.flags;
  const hourlyLimit = limit === undefined ? undefined : parseCount(limit, '--limit');
  const wanted = { name, plan, ...(hourlyLimit === undefined ? {} : { hourlyLimit }) };
  const account = await administer(context, (administration) => administration.createAccount(wanted), {
    creates: true,
  });
  return { show: 'record', record: { ...account } };
}
