import { Argument, type Command, Option } from 'commander';
import { type PlanName, planNames } from '../../../contract/limits.ts';
import type { Administration } from '../../../service/administration.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { parseCount, parseName } from '../../flags/values.ts';
import { columnSet } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { addAccountOption, addDatabaseOption, administer, type DatabaseFlags } from './database.ts';
import { addOriginOption, announceLink, type OriginFlags, parseOrigin } from './users.ts';

interface AccountFlags extends DatabaseFlags, OriginFlags {
  readonly name: string;
  readonly owner?: string;
  readonly plan: PlanName;
  readonly limit?: string;
  readonly sandbox?: boolean;
}

export function registerAccountCreate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('create')
    .description('Create an account, and a new database if needed')
    .requiredOption('--name <name>', 'Name of the account', parseName)
    .addOption(new Option('--plan <plan>', 'Plan').choices(planNames).default('pro'))
    .option('--limit <n>', 'Requests per hour (default: limit of the plan)')
    .option('--sandbox', 'Create a test account: its API keys start with slk_test_')
    .option('--owner <email>', 'Invite the owner: prints a link once');
  runner.add(addDatabaseOption(addOriginOption(command)), createAccount, [
    [
      'salon server account create --name Aurora --owner you@example.com --database sqlite:salon.db',
      'Create a salon and invite its owner',
    ],
    ['salon server account create --name "Salon Aurora" --database sqlite:salon.db', 'Create a salon'],
  ]);
}

const ownedAccountColumns = columnSet({
  ...{ id: 'text', name: 'text', plan: 'text', hourly_limit: 'integer', created_at: 'instant' },
  ...{ sandbox: 'boolean', owner: 'text', link: 'text', link_expires_at: 'instant' },
});

async function createAccount(context: CommandContext<AccountFlags>): Promise<CommandResult> {
  const { name, plan, limit, owner, sandbox: isSandbox = false } = context.flags;
  const hourlyLimit = limit === undefined ? undefined : parseCount(limit, '--limit');
  const wanted = { name, plan, isSandbox, hourlyLimit };
  const creates = { creates: true };
  if (owner === undefined) {
    const account = await administer(context, (service) => service.createAccount(wanted), creates);
    return { show: 'record', record: { ...account } };
  }
  const origin = parseOrigin(context.flags);
  const act = (service: Administration) => service.createOwnedAccount({ ...wanted, owner, origin });
  const { owner: link, ...account } = await administer(context, act, creates);
  announceLink(context, link);
  const record = { ...account, owner: link.email, link: link.link, link_expires_at: link.expires_at };
  return { show: 'record', record, columns: ownedAccountColumns };
}

export function registerSecondFactor(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('second-factor')
    .addArgument(new Argument('<rule>', 'rule').choices(['required', 'optional']))
    .description('Require a second factor of everybody who signs in to an account');
  runner.add(addAccountOption(command), requireSecondFactor, [
    ['salon server account second-factor required', 'Who has none adds one first'],
  ]);
}

async function requireSecondFactor(
  context: CommandContext<DatabaseFlags>,
  rule: string,
): Promise<CommandResult> {
  const input = { isRequired: rule === 'required', accountId: context.flags.account };
  const record = await administer(context, (service) => service.requireSecondFactor(input));
  return { show: 'record', record: { ...record }, message: `A second factor is ${rule}.` };
}
