import type { Command } from 'commander';
import { SalonError, withContext } from '../../../contract/errors.ts';
import type { PrintFlags } from '../../flags/options.ts';
import type { ColumnSet } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { Row } from '../../output/printer.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { openSecretFile } from './secret-file.ts';

export interface SecretFlags extends PrintFlags {
  readonly secretFile?: string;
}

export function addSecretOption(command: Command): Command {
  return command.option(
    '--secret-file <file>',
    'keep the secret in a new file that only you can read, and show it nowhere',
  );
}

/** What a request that made a secret answered, and how it is told. */
export interface NewSecret {
  readonly id: string;
  /** With the secret in it. */
  readonly record: Row;
  /** The fields beside the secret. */
  readonly columns: ColumnSet;
  /** What happened, in a sentence. */
  readonly said: string;
}

/** Makes a secret: it ends in the file that --secret-file names, else it is shown this once. Throws `usage`. */
export async function makeSecret(
  { flags, io, messages }: CommandContext<SecretFlags>,
  make: () => Promise<NewSecret>,
): Promise<CommandResult> {
  assertShown(flags);
  await using file = flags.secretFile === undefined ? undefined : await openSecretFile(flags.secretFile, io);
  const { id, record, columns, said } = await make();
  const { secret, ...others } = record;
  if (typeof secret !== 'string') {
    messages.warn('The server told no secret.');
    return { show: 'record', record, columns, said };
  }
  if (file === undefined) {
    messages.info(`${said} Its secret is shown here and never again: keep it now.`);
    const all = [...columns.all, { key: 'secret', kind: 'text' } as const];
    return { show: 'record', record, columns: { ...columns, all } };
  }
  await file.keep(secret).catch((thrown: unknown) => {
    if (!(thrown instanceof SalonError)) throw thrown;
    const message = `${said} ${thrown.message} So its secret is lost.`;
    throw withContext(thrown, { message, hint: `Give it another one: salon webhooks rotate ${id}` });
  });
  return { show: 'record', record: others, columns, said: `${said} Its secret is in ${flags.secretFile}.` };
}

/** A secret that is neither kept nor shown would be lost as soon as it is made. */
function assertShown({ columns, secretFile }: SecretFlags): void {
  const names = columns?.split(',').map((name) => name.trim());
  if (secretFile !== undefined || names === undefined) return;
  if (names.includes('secret') || names[0]?.startsWith('+')) return;
  throw new SalonError('usage', '--columns leaves out the secret, which is shown this once.', {
    hint: 'Name it too, or keep it with --secret-file.',
  });
}
