import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { planNames } from '../../../contract/limits.ts';
import type { Administration } from '../../../service/administration.ts';
import { parsePublicUrl } from '../../../service/config.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { keyFlags } from '../../flags/key-options.ts';
import { yesFlag } from '../../flags/options.ts';
import { parseCount, parseName } from '../../flags/values.ts';
import { columnSet } from '../../output/columns.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { accountFlag, administer, type DatabaseFlags, onDatabase } from './database.ts';

/** The origin that links begin with. */
const originFlag = {
  publicUrl: {
    flag: '--public-url <url>',
    help: 'Public address of the service',
    default: 'http://localhost:8080',
    parse: parseOrigin,
  },
} as const satisfies FlagTable;

const createFlags = {
  name: { flag: '--name <name>', help: 'Name of the account', isRequired: true, parse: parseName },
  plan: { flag: '--plan <plan>', help: 'Plan', choices: planNames, default: 'pro' },
  limit: {
    flag: '--limit <n>',
    help: 'Requests per hour (default: limit of the plan)',
    parse: parseCount,
  },
  sandbox: { flag: '--sandbox', help: 'Create a test account: its API keys start with slk_test_' },
  owner: { flag: '--owner <email>', help: 'Invite the owner: prints a link once' },
  ...originFlag,
} as const satisfies FlagTable;

const inviteFlags = {
  role: keyFlags.role,
  stylist: keyFlags.stylist,
  ...accountFlag,
  ...originFlag,
} as const satisfies FlagTable;

const resetFlags = {
  secondFactor: { flag: '--second-factor', help: 'Also remove a lost authenticator app' },
  ...originFlag,
} as const satisfies FlagTable;

const deactivateFlags = {
  ...accountFlag,
  everywhere: {
    flag: '--everywhere',
    help: 'End access to all accounts of the person',
    conflicts: 'account',
  },
  ...yesFlag,
} as const satisfies FlagTable;

export function registerAccounts(server: Command, runner: ActionRunner): void {
  const accounts = server
    .command('accounts')
    .alias('account')
    .description('Manage accounts')
    .helpCommand(false);
  runner.define(accounts.command('create'), {
    description: 'Create an account, and a new database if needed',
    flags: createFlags,
    ...onDatabase,
    examples: {
      'salon server accounts create --name Aurora --owner you@example.com --database sqlite:salon.db':
        'Create a salon and invite its owner',
      'salon server accounts create --name "Salon Aurora" --database sqlite:salon.db': 'Create a salon',
    },
    changes: 'the salon',
    handler: async () => createAccount,
  });
  runner.define(accounts.command('second-factor'), {
    description: 'Require a second factor of everybody who signs in to an account',
    args: { '<rule>': { help: 'rule', choices: ['required', 'optional'] } },
    flags: accountFlag,
    ...onDatabase,
    examples: { 'salon server accounts second-factor required': 'Who has none adds one first' },
    changes: 'the salon',
    handler: async () => requireSecondFactor,
  });
}

export function registerUsers(server: Command, runner: ActionRunner): void {
  const users = server
    .command('users')
    .alias('user')
    .description('Manage the people who sign in')
    .helpCommand(false);
  const args = { '<email>': 'email address' };
  runner.define(users.command('list'), {
    description: 'List the people of an account and its open invitations',
    flags: accountFlag,
    ...onDatabase,
    examples: {
      'salon server users list': "People of the profile's embedded salon",
      'salon server users list --account acc_01jd… --database sqlite:salon.db': 'People of one account',
      [`salon server users list --json --database sqlite:salon.db | jq -r '.[] | select(.role == "owner") | .email'`]:
        'Addresses of the owners',
    },
    handler: async () => listUsers,
  });
  runner.define(users.command('invite'), {
    description: 'Invite a person with a link (it is printed only once)',
    args,
    flags: inviteFlags,
    ...onDatabase,
    examples: {
      'salon server users invite ana@salon.example --role manager': 'Invite a manager',
      'salon server users invite mia@salon.example --role stylist --stylist Mia': 'Invite a stylist',
      'salon server users invite ana@salon.example --role owner --public-url https://salon.example --database sqlite:salon.db':
        'Invite an owner to a service with a public address',
    },
    changes: 'the salon',
    undo: 'salon server users deactivate',
    handler: async () => inviteUser,
  });
  runner.define(users.command('reset'), {
    description: 'Create a link to set a new password (it is printed only once)',
    args,
    flags: resetFlags,
    ...onDatabase,
    examples: {
      'salon server users reset ana@salon.example': 'For a forgotten password',
      'salon server users reset ana@salon.example --second-factor': 'For a lost phone',
      'salon server users reset ana@salon.example --json --database sqlite:salon.db | jq -r .link':
        'Print only the link',
    },
    changes: 'the salon',
    handler: async () => resetUser,
  });
  runner.define(users.command('deactivate'), {
    description: "End a person's access to an account, including sessions, apps and API keys",
    args,
    flags: deactivateFlags,
    ...onDatabase,
    examples: {
      'salon server users deactivate ana@salon.example': 'End access, after confirmation',
      'salon server users deactivate ana@salon.example --yes --database sqlite:salon.db':
        'Skip the confirmation',
      'salon server users deactivate ana@salon.example --everywhere':
        'End access to all accounts, e.g. for a stolen laptop',
    },
    changes: 'the salon',
    undo: 'salon server users invite',
    handler: async () => deactivateUser,
  });
  runner.define(users.command('erase'), {
    description: "Erase a person: name, email address, ways to sign in, and all access; can't be undone",
    args,
    flags: yesFlag,
    ...onDatabase,
    examples: { 'salon server users erase ana@salon.example': 'Erase a person, after confirmation' },
    changes: 'the salon',
    handler: async () => eraseUser,
  });
}

const ownedAccountColumns = columnSet({
  ...{ id: 'text', name: 'text', plan: 'text', hourly_limit: 'integer', created_at: 'instant' },
  ...{ sandbox: 'boolean', owner: 'text', link: 'text', link_expires_at: 'instant' },
});

const createAccount: Handler<FlagValues<typeof createFlags>> = async (context) => {
  const { name, plan, limit: hourlyLimit, owner, sandbox: isSandbox = false, publicUrl } = context.flags;
  const wanted = { name, plan, isSandbox, hourlyLimit };
  const creates = { creates: true };
  if (owner === undefined) {
    const account = await administer(context, (service) => service.createAccount(wanted), creates);
    return { show: 'record', record: { ...account } };
  }
  const act = (service: Administration) =>
    service.createOwnedAccount({ ...wanted, owner, origin: publicUrl });
  const { owner: link, ...account } = await administer(context, act, creates);
  announceLink(context, link);
  const record = { ...account, owner: link.email, link: link.link, link_expires_at: link.expires_at };
  return { show: 'record', record, columns: ownedAccountColumns };
};

const requireSecondFactor: Handler<DatabaseFlags, [rule: string]> = async (context, rule) => {
  const isRequired = rule === 'required';
  const account_id = await administer(context, async (service) => {
    const operator = await service.inAccount(context.flags.account);
    await service.requireSecondFactor(operator, isRequired);
    return operator.caller.account.id;
  });
  const record = { account_id, second_factor_required: isRequired };
  return { show: 'record', record, message: `A second factor is ${rule}.` };
};

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
  const people = await administer(context, async ({ inAccount, listPeople }) =>
    listPeople(await inAccount(context.flags.account)),
  );
  const rows = people.map((person) => ({ ...person }));
  return { show: 'records', noun: 'people', columns: listColumns, pages: onePage(rows) };
};

const inviteUser: Handler<FlagValues<typeof inviteFlags>, [email: string]> = async (context, email) => {
  const { account, role, stylist, publicUrl: origin } = context.flags;
  const invited = await administer(context, async ({ inAccount, findStylistId, invitePerson }) => {
    const operator = await inAccount(account);
    const stylistId = stylist === undefined ? null : await findStylistId(operator, stylist);
    return invitePerson(operator, { email, role, stylistId, origin });
  });
  return showLink(context, invited);
};

const resetUser: Handler<FlagValues<typeof resetFlags>, [email: string]> = async (context, email) => {
  const { publicUrl: origin, secondFactor: removesSecondFactor = false } = context.flags;
  const reset = await administer(context, (administration) =>
    administration.resetPerson({ email, origin, removesSecondFactor }),
  );
  return showLink(context, reset);
};

const deactivateUser: Handler<FlagValues<typeof deactivateFlags>, [email: string]> = async (
  context,
  email,
) => {
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

const eraseUser: Handler<object, [email: string]> = async (context, email) => {
  await context.confirmLocal(`Erase ${email} from all accounts? This cannot be undone.`);
  const erased = await administer(context, (administration) => administration.erasePerson(email));
  return { show: 'record', record: { ...erased, erased: true }, message: `${erased.email} was erased.` };
};

type LinkRecord = Awaited<ReturnType<Administration['resetPerson']>>;

/** The origin that links begin with. Throws `usage`. */
function parseOrigin(text: string, flag: string): string {
  const origin = parsePublicUrl(text, flag);
  if (origin !== undefined) return origin;
  const hint = 'Use an address such as https://salon.example.';
  throw new SalonError('usage', `${flag} is empty.`, { hint });
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
