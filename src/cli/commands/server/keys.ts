import type { Command } from 'commander';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { type KeyFlags, keyFlags, readKeyRequest } from '../../flags/key-options.ts';
import { printFlags, yesFlag } from '../../flags/options.ts';
import { nouns } from '../../nouns/nouns.ts';
import type { ColumnSet } from '../../output/columns.ts';
import { onePage } from '../../output/command-result.ts';
import { accountFlag, administer, type DatabaseFlags, onDatabase } from './database.ts';

const listFlags = {
  ...accountFlag,
  all: { flag: '--all', help: 'Also list revoked keys' },
  ...printFlags,
} as const satisfies FlagTable;

export function registerServiceKeys(server: Command, runner: ActionRunner): void {
  const keys = server.command('keys').alias('key').description('Manage API keys').helpCommand(false);
  runner.define(keys.command('list'), {
    description: 'List API keys and webhook secrets with their last use and expiry',
    flags: listFlags,
    ...onDatabase,
    examples: {
      'salon server keys list --database sqlite:salon.db': 'List active and expired keys',
      'salon server keys list --all --database sqlite:salon.db': 'Include revoked keys',
      'salon server keys list -c name,last_used_at,expires_at --database sqlite:salon.db':
        'Choose the columns',
    },
    handler: async () => listKeys,
  });
  runner.define(keys.command('create'), {
    description: 'Create an API key (it is printed only once)',
    flags: { ...keyFlags, ...accountFlag },
    ...onDatabase,
    examples: {
      'salon server keys create --role owner --name office --database sqlite:salon.db': 'Create a key',
      'salon server keys create --role viewer --name export --json --database sqlite:salon.db | jq -r .key':
        'Print only the key',
      'salon server keys create --role manager --name till --expires never --database sqlite:salon.db':
        'Create a key that does not expire',
    },
    changes: 'the salon',
    undo: 'salon server keys revoke',
    handler: async () => createKey,
  });
  runner.define(keys.command('revoke'), {
    description: 'Revoke an API key, with everything it created',
    args: { '<id>': 'key ID' },
    flags: yesFlag,
    ...onDatabase,
    examples: {
      'salon server keys revoke key_01jd… --database sqlite:salon.db': 'Revoke it, after confirmation',
    },
    changes: 'the salon',
    handler: async () => revokeKey,
  });
}

const createKey: Handler<DatabaseFlags & KeyFlags> = async (context) => {
  const { flags, io, messages } = context;
  const { value: timeZone } = (await context.session()).settings.timeZone;
  const request = readKeyRequest(flags, { now: io.now(), timeZone });
  const record = await administer(context, async ({ inAccount, findStylistId, createApiKey }) => {
    const operator = await inAccount(flags.account);
    const { stylist } = flags;
    const bound = stylist === undefined ? {} : { stylist_id: await findStylistId(operator, stylist) };
    const created = await createApiKey(operator, { ...request, ...bound });
    const { id, role, name, stylist_id, expires_at, created_at, key, scopes, allowed_addresses } = created;
    const { id: account_id } = operator.caller.account;
    return { id, role, name, account_id, stylist_id, expires_at, created_at, key, scopes, allowed_addresses };
  });
  messages.info('Save the key now: it is not shown again.');
  return { show: 'record', record };
};

const listColumns: ColumnSet = {
  ...nouns.apiKeys.columns,
  // New columns come last.
  all: nouns.apiKeys.columns.all.toSpliced(-2, 0, { key: 'kind', kind: 'text' }),
  table: ['kind', ...nouns.apiKeys.columns.table],
};

const listKeys: Handler<FlagValues<typeof listFlags>> = async (context) => {
  const { account, all: isComplete = false } = context.flags;
  const secrets = await administer(context, async ({ inAccount, listSecrets }) =>
    listSecrets(await inAccount(account), { isComplete }),
  );
  const rows = secrets.map((secret) => ({ ...secret }));
  return { show: 'records', noun: 'keys and secrets', columns: listColumns, pages: onePage(rows) };
};

const revokeKey: Handler<object, [id: string]> = async (context, id) => {
  await context.confirmLocal(
    `Revoke key ${id} with everything it created? Programs that use them stop working.`,
  );
  await administer(context, (administration) => administration.revokeApiKey(id));
  return { show: 'record', record: { id, revoked: true }, message: `Revoked key ${id}.` };
};
