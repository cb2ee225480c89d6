import type { Command } from 'commander';
import { countOf } from '../../../text/numbers.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { yesFlag } from '../../flags/options.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { administer, type DatabaseFlags, onDatabase } from './database.ts';

export function registerSecrets(service: Command, runner: ActionRunner): void {
  const parent = service
    .command('secrets')
    .description('Manage the key that encrypts secrets in the database')
    .helpCommand(false);

  runner.define(parent.command('status'), {
    description: 'Show the key and whether all secrets can be read',
    ...onDatabase,
    examples: {
      'salon server secrets status --database sqlite:salon.db': 'Check the key, e.g. after a restore',
      'salon server secrets status --database sqlite:salon.db --json | jq .unreadable':
        'Print how many secrets cannot be read',
      'SALON_SECRETS_KEY="$(cat key)" salon server secrets status --database sqlite:salon.db':
        'Use a key from elsewhere',
    },
    handler: async () => showStatus,
  });
  runner.define(parent.command('rotate'), {
    description: 'Encrypt all secrets with a new key',
    flags: yesFlag,
    ...onDatabase,
    examples: {
      'salon server secrets rotate --database sqlite:salon.db': 'Replace the key file, after confirmation',
      'salon server secrets rotate --yes --database sqlite:salon.db': 'Skip the confirmation',
      'SALON_SECRETS_KEY="$NEW,$OLD" salon server secrets rotate --yes --database sqlite:salon.db':
        'Switch to a new key in the environment',
    },
    changes: 'this machine',
    handler: async () => rotateKey,
  });
}

const showStatus: Handler<DatabaseFlags> = async (context) => {
  const status = await administer(context, (administration) => administration.readSecretsStatus());
  warnOfUnreadable(context, status.unreadable, status.missing_keys);
  return { show: 'record', record: { ...status } };
};

const rotateKey: Handler = async (context) => {
  await context.confirmLocal('Encrypt all secrets with a new key? Earlier backups still need the old key.');
  const rotation = await administer(context, (administration) => administration.rotateSecrets());
  warnOfUnreadable(context, rotation.unreadable, rotation.missing_keys);
  const { resealed, source, key } = rotation;
  const message = `Encrypted ${countOf(resealed, 'values')} with the key ${key} from ${source}.`;
  return { show: 'record', record: { ...rotation }, message };
};

/** Says how many secrets of a database cannot be decrypted, if there are any. */
export function warnOfUnreadable(
  { messages }: Pick<CommandContext, 'messages'>,
  count: number,
  missingKeys: readonly string[],
  advice = 'Restore it from your copy.',
): void {
  if (count === 0) return;
  const keys = `${missingKeys.length === 1 ? 'the key' : 'the keys'} ${missingKeys.join(', ')}`;
  messages.warn(`${countOf(count, 'secrets')} cannot be read without ${keys}. ${advice}`);
}
