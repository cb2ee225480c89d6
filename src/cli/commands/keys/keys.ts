import type { Command } from 'commander';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { listPages } from '../../export/list-records.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { type KeyFlags, keyFlags, readKeyRequest } from '../../flags/key-options.ts';
import {
  confirmationFlags,
  confirmFlag,
  plainListFlags,
  printFlags,
  writeFlags,
} from '../../flags/options.ts';
import { nouns } from '../../nouns/nouns.ts';
import { readClock } from '../../output/format.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { keyFileFlag, makeSecret, type NewKeyFlags } from '../webhooks/secrets.ts';
import { endKey, replaceOldKey } from './existing-keys.ts';

const listKeysFlags = {
  status: {
    flag: '--status <a,b>',
    help: 'active, expired, revoked (default: active,expired)',
    complete: 'statuses',
  },
  ...plainListFlags,
} as const satisfies FlagTable;

const keyReference = 'key: name, start of the key, or ID';

export function registerKeys(keys: Command, runner: ActionRunner): void {
  runner.define(keys.command('list'), {
    description: 'List API keys with their rights, last use and expiry',
    flags: listKeysFlags,
    examples: {
      'salon keys list': 'List active and expired keys',
      'salon keys list --status revoked': 'List revoked keys',
      'salon keys list --json | jq ".[] | select(.last_used_at == null)"': 'Find keys that were never used',
    },
    handler: async () => listKeys,
  });
  runner.define(keys.command('create'), {
    description: 'Create an API key; it is shown once',
    flags: { ...keyFlags, ...keyFileFlag, dryRun: writeFlags.dryRun, ...confirmFlag, ...printFlags },
    examples: {
      'salon keys create --name Website --role receptionist': 'Create a key that is valid for a year',
      'salon keys create --name Export --role viewer --scopes clients:read --expires +90d --key-file export.key':
        'Save a key with one scope to a file',
      'salon keys create --name Mirror --role stylist --stylist "Mia Sato" --addresses 203.0.113.0/24':
        "For one stylist's calendar, from one network",
    },
    undo: 'salon keys revoke',
    handler: async () => createKey,
  });
  runner.define(keys.command('roll'), {
    description: 'Replace an API key with a new one; the old one stays valid for a while',
    args: { '[key]': `${keyReference} (default: the profile's own)` },
    flags: {
      overlap: {
        flag: '--overlap <time>',
        help: 'How long the old key stays valid, e.g. 1h or 0 (default: 24h)',
        isAdvanced: true,
      },
      keyFile: { ...keyFileFlag.keyFile, help: 'Save the new key to a new file (readable only by you)' },
      dryRun: { ...writeFlags.dryRun, help: 'Check and show the key; change nothing' },
      ...confirmFlag,
      ...printFlags,
    },
    examples: {
      'salon keys roll': "Replace the profile's own key, and save the new one",
      'salon keys roll Website --key-file website.key': 'Save the new key to a file',
      'salon keys roll key_01jd… --overlap 0': 'Stop a leaked key at once',
    },
    handler: async () => replaceOldKey,
  });
  runner.define(keys.command('revoke'), {
    description: 'Revoke an API key at once, with everything it created',
    args: { '<key>': keyReference },
    flags: {
      dryRun: { ...writeFlags.dryRun, help: 'Show the key; change nothing' },
      ...confirmationFlags,
    },
    examples: {
      'salon keys revoke Website': 'Revoke after confirmation',
      'salon keys revoke slk_Ab12': 'By the start of the key',
      'salon keys revoke key_01jd… --yes': 'In a script',
    },
    handler: async () => endKey,
  });
}

const listKeys: Handler<FlagValues<typeof listKeysFlags>> = async (context) => {
  return listPages(context, 'apiKeys', { status: context.flags.status });
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
    return { id: record.id, record: { ...record }, columns: nouns.apiKeys.columns, message };
  });
};

async function readBody(context: CommandContext<Flags>) {
  const { flags } = context;
  const body = readKeyRequest(flags, await readClock(context));
  if (flags.stylist === undefined) return body;
  const { resolveStylist } = await import('../../people/resolve.ts');
  return { ...body, stylist_id: (await resolveStylist(flags.stylist, context, { isWrite: true })).id };
}
