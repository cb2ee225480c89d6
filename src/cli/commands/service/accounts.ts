import { type Command, Option } from 'commander';
import { closest } from '../../../contract/closest.ts';
import { SalonError } from '../../../contract/errors.ts';
import { type PlanName, planNames } from '../../../contract/limits.ts';
import { type Role, roles, type Scope, scopes } from '../../../contract/roles.ts';
import type { Administration } from '../../../service/administration.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { parseMoment } from '../../flags/days.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addYesOption, joinLists } from '../../flags/options.ts';
import { parseCount, parseList, parseName } from '../../flags/values.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { addDatabaseOption, administer, type DatabaseFlags } from './database.ts';
import { addOriginOption, announceLink, type OriginFlags, parseOrigin } from './links.ts';

interface AccountFlags extends DatabaseFlags, OriginFlags {
  readonly name: string;
  readonly owner?: string;
  readonly plan: PlanName;
  readonly limit?: string;
}

export function registerAccountCreate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('create')
    .description('Create an account, and a new database if needed')
    .requiredOption('--name <name>', 'Name of the account', parseName)
    .addOption(new Option('--plan <plan>', 'Plan').choices(planNames).default('pro'))
    .option('--limit <n>', 'Requests per hour (default: limit of the plan)')
    .option('--owner <email>', 'Invite the owner: prints a link once');
  addOriginOption(command);
  addDatabaseOption(command);
  addExamples(command, [
    [
      'salon service account create --name Aurora --owner you@example.com --database sqlite:salon.db',
      'Create a salon and invite its owner',
    ],
    ['salon service account create --name "Salon Aurora" --database sqlite:salon.db', 'Create a salon'],
  ]);
  command.action(runner.action(createAccount));
}

async function createAccount(context: CommandContext<AccountFlags>): Promise<CommandResult> {
  const { name, plan, limit, owner } = context.flags;
  const hourlyLimit = limit === undefined ? undefined : parseCount(limit, '--limit');
  const wanted = { name, plan, ...(hourlyLimit === undefined ? {} : { hourlyLimit }) };
  const creates = { creates: true };
  if (owner === undefined) {
    const account = await administer(context, (service) => service.createAccount(wanted), creates);
    return { show: 'record', record: { ...account } };
  }
  const origin = await parseOrigin(context.flags);
  const act = (service: Administration) => service.createOwnedAccount({ ...wanted, owner, origin });
  const { owner: link, ...account } = await administer(context, act, creates);
  announceLink(context, link);
  const record = { ...account, owner: link.email, link: link.link, link_expires_at: link.expires_at };
  return { show: 'record', record };
}

interface KeyFlags extends DatabaseFlags {
  readonly account?: string;
  readonly role: Role;
  readonly name: string;
  readonly scopes?: string;
  readonly expires?: string;
  readonly stylist?: string;
}

export function registerKeyCreate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('create')
    .description('Create an API key (it is printed only once)')
    .requiredOption('--name <name>', 'Purpose of the key', parseName)
    .addOption(new Option('--role <role>', 'Role').choices(roles).makeOptionMandatory())
    .option('--account <id>', 'Account ID, if there are several')
    .option('--scopes <a,b>', `Only these scopes: ${scopes.join(', ')}`, joinLists)
    .option('--expires <when>', 'Expiry, e.g. +90d or 2027-01-01 (default: never)')
    .option('--stylist <who>', 'Stylist: name, email or ID; with --role stylist');
  addDatabaseOption(command);
  addExamples(command, [
    ['salon service key create --role owner --name office --database sqlite:salon.db', 'Create a key'],
    [
      'salon service key create --role viewer --name export --json --database sqlite:salon.db | jq -r .key',
      'Print only the key',
    ],
  ]);
  command.action(runner.action(createKey));
}

async function createKey(context: CommandContext<KeyFlags>): Promise<CommandResult> {
  const { flags, messages } = context;
  const { account, role, name, stylist } = flags;
  const expiresAt = flags.expires === undefined ? undefined : await parseExpiry(flags.expires, context);
  const narrowed =
    flags.scopes === undefined ? undefined : parseList(flags.scopes, '--scopes').map(parseScope);
  const key = await administer(context, (administration) =>
    administration.createApiKey({
      role,
      name,
      ...(account === undefined ? {} : { accountId: account }),
      ...(narrowed === undefined ? {} : { scopes: narrowed }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(stylist === undefined ? {} : { stylistId: stylist }),
    }),
  );
  messages.info('Save the key now: it is not shown again.');
  return { show: 'record', record: { ...key } };
}

async function parseExpiry(text: string, { io, session }: CommandContext<KeyFlags>): Promise<Date> {
  const { timeZone } = (await session()).settings;
  const expiresAt = new Date(parseMoment(text, { now: io.now(), timeZone: timeZone.value, edge: 'end' }));
  if (expiresAt > io.now()) return expiresAt;
  throw new SalonError('usage', `--expires ${text} is in the past.`, {
    hint: 'Use a future date, e.g. +90d.',
  });
}

function parseScope(text: string): Scope {
  const scope = scopes.find((known) => known === text);
  if (scope !== undefined) return scope;
  const near = closest(text, scopes);
  const question = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new SalonError('usage', `Unknown scope "${text}".${question}`, {
    hint: `Scopes: ${scopes.join(', ')}`,
  });
}

export function registerKeyRevoke(parent: Command, runner: ActionRunner): void {
  const command = parent.command('revoke').argument('<id>', 'key ID').description('Revoke an API key');
  addDatabaseOption(command);
  addYesOption(command);
  addExamples(command, [
    ['salon service key revoke key_01jd… --database sqlite:salon.db', 'Revoke it, after confirmation'],
  ]);
  command.action(runner.action(revokeKey));
}

async function revokeKey(context: CommandContext<DatabaseFlags>, id: string): Promise<CommandResult> {
  await context.confirmLocal(`Revoke key ${id}? Programs that use it stop working.`);
  await administer(context, (administration) => administration.revokeApiKey(id));
  return { show: 'record', record: { id, revoked: true }, message: `Revoked key ${id}.` };
}
