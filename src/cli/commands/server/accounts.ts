import { Argument, type Command, Option } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { type PlanName, planNames } from '../../../contract/limits.ts';
import { type Role, roles } from '../../../contract/roles.ts';
import type { Administration } from '../../../service/administration.ts';
import { parsePublicUrl } from '../../../service/config.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { addYesOption } from '../../flags/options.ts';
import { parseCount, parseName } from '../../flags/values.ts';
import { columnSet } from '../../output/columns.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import {
  accountHelp,
  addAccountOption,
  addDatabaseOption,
  administer,
  type DatabaseFlags,
} from './database.ts';

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
  runner.add(addDatabaseOption(addOriginOption(command)), createAccount, {
    'salon server account create --name Aurora --owner you@example.com --database sqlite:salon.db':
      'Create a salon and invite its owner',
    'salon server account create --name "Salon Aurora" --database sqlite:salon.db': 'Create a salon',
  });
}

const ownedAccountColumns = columnSet({
  ...{ id: 'text', name: 'text', plan: 'text', hourly_limit: 'integer', created_at: 'instant' },
  ...{ sandbox: 'boolean', owner: 'text', link: 'text', link_expires_at: 'instant' },
});

const createAccount: Handler<AccountFlags> = async (context) => {
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
};

export function registerSecondFactor(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('second-factor')
    .addArgument(new Argument('<rule>', 'rule').choices(['required', 'optional']))
    .description('Require a second factor of everybody who signs in to an account');
  runner.add(addAccountOption(command), requireSecondFactor, {
    'salon server account second-factor required': 'Who has none adds one first',
  });
}

const requireSecondFactor: Handler<DatabaseFlags, [rule: string]> = async (context, rule) => {
  const input = { isRequired: rule === 'required', accountId: context.flags.account };
  const record = await administer(context, (service) => service.requireSecondFactor(input));
  return { show: 'record', record: { ...record }, message: `A second factor is ${rule}.` };
};

export function registerUsers(service: Command, runner: ActionRunner): void {
  const user = service.command('user').description('Manage the people who sign in').helpCommand(false);
  registerList(user, runner);
  registerInvite(user, runner);
  registerReset(user, runner);
  registerDeactivate(user, runner);
  registerErase(user, runner);
}

function registerList(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('list')
    .description('List the people of an account and its open invitations');
  runner.add(addAccountOption(command), listUsers, {
    'salon server user list': "People of the profile's embedded salon",
    'salon server user list --account acc_01jd… --database sqlite:salon.db': 'People of one account',
    [`salon server user list --json --database sqlite:salon.db | jq -r '.[] | select(.role == "owner") | .email'`]:
      'Addresses of the owners',
  });
}

const listColumns = {
  ...columnSet({
    ...{ email: 'text', name: 'text', role: 'text', status: 'text', second_factor: 'boolean' },
    ...{
      passkeys: 'integer',
      last_seen_at: 'instant',
      stylist_id: 'text',
      created_at: 'instant',
      id: 'text',
    },
  }),
  table: ['email', 'name', 'role', 'status', 'second_factor', 'passkeys', 'last_seen_at'],
};

const listUsers: Handler<DatabaseFlags> = async (context) => {
  const { account: accountId } = context.flags;
  const people = await administer(context, (administration) => administration.listPeople({ accountId }));
  const rows = people.map((person) => ({ ...person }));
  return { show: 'records', noun: 'people', columns: listColumns, pages: onePage(rows) };
};

interface InviteFlags extends DatabaseFlags, OriginFlags {
  readonly role: Role;
  readonly stylist?: string;
}

function registerInvite(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('invite')
    .argument('<email>', 'email address')
    .description('Invite a person with a link (it is printed only once)')
    .addOption(new Option('--role <role>', 'Role').choices(roles).makeOptionMandatory())
    .option('--stylist <who>', 'Stylist: name, email or ID; with --role stylist')
    .option('--account <id>', accountHelp);
  runner.add(addDatabaseOption(addOriginOption(command)), inviteUser, {
    'salon server user invite ana@salon.example --role manager': 'Invite a manager',
    'salon server user invite mia@salon.example --role stylist --stylist Mia': 'Invite a stylist',
    'salon server user invite ana@salon.example --role owner --public-url https://salon.example --database sqlite:salon.db':
      'Invite an owner to a service with a public address',
  });
}

const inviteUser: Handler<InviteFlags, [email: string]> = async (context, email) => {
  const { account: accountId, role, stylist } = context.flags;
  const invitation = { accountId, email, role, stylist, origin: parseOrigin(context.flags) };
  const invited = await administer(context, (administration) => administration.invitePerson(invitation));
  return showLink(context, invited);
};

interface ResetFlags extends DatabaseFlags, OriginFlags {
  readonly secondFactor?: boolean;
}

function registerReset(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('reset')
    .argument('<email>', 'email address')
    .description('Create a link to set a new password (it is printed only once)')
    .option('--second-factor', 'Also remove a lost authenticator app');
  runner.add(addDatabaseOption(addOriginOption(command)), resetUser, {
    'salon server user reset ana@salon.example': 'For a forgotten password',
    'salon server user reset ana@salon.example --second-factor': 'For a lost phone',
    'salon server user reset ana@salon.example --json --database sqlite:salon.db | jq -r .link':
      'Print only the link',
  });
}

const resetUser: Handler<ResetFlags, [email: string]> = async (context, email) => {
  const origin = parseOrigin(context.flags);
  const removesSecondFactor = context.flags.secondFactor === true;
  const reset = await administer(context, (administration) =>
    administration.resetPerson({ email, origin, removesSecondFactor }),
  );
  return showLink(context, reset);
};

interface DeactivateFlags extends DatabaseFlags {
  readonly everywhere?: boolean;
}

function registerDeactivate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('deactivate')
    .argument('<email>', 'email address')
    .description("End a person's access to an account, including sessions, apps and API keys")
    .option('--account <id>', accountHelp)
    .addOption(new Option('--everywhere', 'End access to all accounts of the person').conflicts('account'));
  runner.add(addYesOption(addDatabaseOption(command)), deactivateUser, {
    'salon server user deactivate ana@salon.example': 'End access, after confirmation',
    'salon server user deactivate ana@salon.example --yes --database sqlite:salon.db':
      'Skip the confirmation',
    'salon server user deactivate ana@salon.example --everywhere':
      'End access to all accounts, e.g. for a stolen laptop',
  });
}

const deactivateUser: Handler<DeactivateFlags, [email: string]> = async (context, email) => {
  const { account: accountId, everywhere: isEverywhere = false } = context.flags;
  await context.confirmLocal(`End the access of ${email}? Their sessions, apps and API keys stop working.`);
  const ended = await administer(context, (administration) =>
    administration.deactivatePerson({ accountId, email, isEverywhere }),
  );
  const { sessions, apps, keys, invitations } = ended;
  const message =
    invitations > 0
      ? `The invitation of ${ended.email} is withdrawn.`
      : `${ended.email} no longer has access (sessions: ${sessions}, apps: ${apps}, API keys: ${keys}).`;
  return { show: 'record', record: { ...ended, deactivated: true }, message };
};

function registerErase(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('erase')
    .argument('<email>', 'email address')
    .description("Erase a person: name, email address, ways to sign in, and all access; can't be undone");
  runner.add(addYesOption(addDatabaseOption(command)), eraseUser, {
    'salon server user erase ana@salon.example': 'Erase a person, after confirmation',
  });
}

const eraseUser: Handler<DatabaseFlags, [email: string]> = async (context, email) => {
  await context.confirmLocal(`Erase ${email} from all accounts? This cannot be undone.`);
  const erased = await administer(context, (administration) => administration.erasePerson(email));
  return { show: 'record', record: { ...erased, erased: true }, message: `${erased.email} was erased.` };
};

interface OriginFlags {
  readonly publicUrl: string;
}

type LinkRecord = Awaited<ReturnType<Administration['resetPerson']>>;

function addOriginOption(command: Command): Command {
  return command.option('--public-url <url>', 'Public address of the service', 'http://localhost:8080');
}

/** The origin that links begin with. Throws `usage`. */
function parseOrigin({ publicUrl }: OriginFlags): string {
  const origin = parsePublicUrl(publicUrl, '--public-url');
  if (origin !== undefined) return origin;
  const hint = 'Use an address such as https://salon.example.';
  throw new SalonError('usage', '--public-url is empty.', { hint });
}

/** Prints a link that is shown only once. */
function showLink(context: CommandContext, link: LinkRecord): CommandResult {
  announceLink(context, link);
  return { show: 'record', record: { ...link } };
}

function announceLink({ messages }: Pick<CommandContext, 'messages'>, link: LinkRecord): void {
  if (link.mail_problem !== null) messages.warn(`${link.mail_problem} Send the link yourself.`);
  messages.info(
    link.mailed
      ? `Emailed the link to ${link.email}.`
      : `Send the link to ${link.email}: it is not shown again.`,
  );
}
