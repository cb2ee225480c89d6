import { type Command, Option } from 'commander';
import { type Plan, planNames } from '../../../contract/limits.ts';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { addExamples } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { parseCount, parseName } from '../../flags/values.ts';
import { addDatabaseOption, administer, type DatabaseFlags } from './administer.ts';

interface Flags extends DatabaseFlags {
  readonly name: string;
  readonly plan: Plan;
  readonly limit?: string;
}

export function registerAccountCreate(parent: Command, frame: Frame): void {
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
  command.action(frame.action(createAccount));
}

async function createAccount(call: Call<Flags>): Promise<Outcome> {
  const { name, plan, limit } = call.flags;
  const hourlyLimit = limit === undefined ? undefined : parseCount(limit, '--limit');
  const wanted = { name, plan, ...(hourlyLimit === undefined ? {} : { hourlyLimit }) };
  const account = await administer(call, (administration) => administration.createAccount(wanted), {
    makes: true,
  });
  return { show: 'record', record: { ...account } };
}
