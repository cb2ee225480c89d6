import { type Command, Option } from 'commander';
import { closest } from '../../../contract/closest.ts';
import { SalonError } from '../../../contract/errors.ts';
import { type Role, roles, type Scope, scopes } from '../../../contract/roles.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { parseMoment } from '../../flags/days.ts';
import { addExamples } from '../../flags/help-page.ts';
import { parseList, parseName } from '../../flags/values.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { addDatabaseOption, administer, type DatabaseFlags } from './administer.ts';

interface Flags extends DatabaseFlags {
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
    .description('Make an API key; it is shown this once')
    .requiredOption('--name <name>', 'what the key is for', parseName)
    .addOption(new Option('--role <role>', 'what it may do').choices(roles).makeOptionMandatory())
    .option('--account <id>', 'whose key it is; not needed while there is one account')
    .option('--scopes <a,b>', `narrow it further: ${scopes.join(', ')}`)
    .option('--expires <when>', 'such as +90d or 2027-01-01; never when left out')
    .option('--stylist <id>', 'with --role stylist: whose calendar it reaches');
  addDatabaseOption(command);
  addExamples(command, [
    ['salon service key create --role owner --name office --database sqlite:salon.db', 'for the owner'],
    [
      'salon service key create --role viewer --name export --json --database sqlite:salon.db | jq -r .key',
      'for a script',
    ],
  ]);
  command.action(runner.action(createKey));
}

async function createKey(context: CommandContext<Flags>): Promise<CommandResult> {
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
  messages.info('Keep the key now: only its fingerprint is stored, and it is not shown again.');
  return { show: 'record', record: { ...key } };
}

async function parseExpiry(text: string, { io, session }: CommandContext<Flags>): Promise<Date> {
  const { timeZone } = (await session()).settings;
  const expiresAt = new Date(parseMoment(text, { now: io.now(), timeZone: timeZone.value, edge: 'end' }));
  if (expiresAt > io.now()) return expiresAt;
  throw new SalonError('usage', `--expires ${text} is in the past.`, {
    hint: 'Give a day to come, such as +90d.',
  });
}

function parseScope(text: string): Scope {
  const scope = scopes.find((known) => known === text);
  if (scope !== undefined) return scope;
  const near = closest(text, scopes);
  throw new SalonError(
    'usage',
    `There is no scope "${text}".${near === undefined ? '' : ` Did you mean ${near}?`}`,
    {
      hint: `Scopes: ${scopes.join(', ')}`,
    },
  );
}
