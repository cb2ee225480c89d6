import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { listPages } from '../../export/list-records.ts';
import { addKeyOptions, type KeyFlags, readKeyRequest } from '../../flags/key-options.ts';
import {
  addConfirmOption,
  addPlainListOptions,
  addPrintOptions,
  type ListFlags,
} from '../../flags/options.ts';
import { apiKeyColumns } from '../../output/columns.ts';
import { readClock } from '../../output/format.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { makeSecret, type NewKeyFlags } from '../webhooks/secrets.ts';
import { registerKeysRevoke, registerKeysRoll } from './existing-keys.ts';

export function registerKeys(keys: Command, runner: ActionRunner): void {
  const list = keys
    .command('list')
    .description('List API keys with their rights, last use and expiry')
    .option('--status <a,b>', 'active, expired, revoked (default: active,expired)');
  addPlainListOptions(list);
  runner.add(list, listKeys, {
    'salon keys list': 'List active and expired keys',
    'salon keys list --status revoked': 'List revoked keys',
    'salon keys list --json | jq ".[] | select(.last_used_at == null)"': 'Find keys that were never used',
  });

  const create = keys.command('create').description('Create an API key; it is shown once');
  addKeyOptions(create)
    .option('--key-file <file>', 'Save the key to a new file (readable only by you)')
    .option('-n, --dry-run', 'Check and show what would be sent; change nothing');
  addConfirmOption(create);
  addPrintOptions(create);
  runner.add(create, createKey, {
    'salon keys create --name Website --role receptionist': 'Create a key that is valid for a year',
    'salon keys create --name Export --role viewer --scopes clients:read --expires +90d --key-file export.key':
      'Save a key with one scope to a file',
    'salon keys create --name Mirror --role stylist --stylist "Mia Sato" --addresses 203.0.113.0/24':
      "For one stylist's calendar, from one network",
  });

  registerKeysRoll(keys, runner);
  registerKeysRevoke(keys, runner);
}

interface KeyListFlags extends ListFlags {
  readonly status?: string;
}

const listKeys: Handler<KeyListFlags> = async (context) => {
  const kind = { noun: 'API keys', columns: apiKeyColumns };
  const { status } = context.flags;
  return listPages(context, { ...kind, list: ({ apiKeys }) => apiKeys.list }, { status });
};

interface Flags extends KeyFlags, NewKeyFlags {
  readonly dryRun?: boolean;
}

const createKey: Handler<Flags> = async (context) => {
  const body = await readBody(context);
  if (context.flags.dryRun) {
    context.messages.info(await context.checkDryRun(({ apiKeys }) => apiKeys.create(body)));
    return { show: 'record', record: body };
  }
  return makeSecret('key', context, async () => {
    const record = await (await context.client()).apiKeys.create(body);
    const end = record.created_with ? ' It ends with the key or sign-in that created it.' : '';
    const message = `Created API key "${record.name}".${end}`;
    return { id: record.id, record: { ...record }, columns: apiKeyColumns, message };
  });
};

async function readBody(context: CommandContext<Flags>) {
  const { flags } = context;
  const { expiresAt, scopes, addresses, ...rights } = readKeyRequest(flags, await readClock(context));
  return {
    ...rights,
    ...(scopes === undefined ? {} : { scopes: [...scopes] }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt?.toISOString() ?? null }),
    ...(addresses === undefined ? {} : { allowed_addresses: [...addresses] }),
    ...(await readStylist(context)),
  };
}

async function readStylist(context: CommandContext<Flags>): Promise<{ stylist_id?: string }> {
  const { role, stylist } = context.flags;
  if (stylist === undefined) {
    if (role !== 'stylist') return {};
    throw new SalonError('usage', 'An API key with the role stylist needs a stylist.', {
      hint: 'Name the stylist: --stylist <who>.',
    });
  }
  if (role !== 'stylist') {
    throw new SalonError('usage', `An API key with the role ${role} cannot be limited to a stylist.`, {
      hint: 'Use --stylist with --role stylist only.',
    });
  }
  const { resolveStylist } = await import('../../people/resolve.ts');
  return { stylist_id: (await resolveStylist(stylist, context, { isWrite: true })).id };
}
