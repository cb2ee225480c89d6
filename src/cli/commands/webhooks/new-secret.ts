import { type FileHandle, open, unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { attemptOn, systemCodeOf, toFileFailure } from '../../../bulk/jobs/file-access.ts';
import { SalonError, withContext } from '../../../contract/errors.ts';
import type { PrintFlags } from '../../flags/options.ts';
import type { Io } from '../../io.ts';
import type { ColumnSet, Row } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export interface NewSecretFlags extends PrintFlags {
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
  { flags, io, messages }: CommandContext<NewSecretFlags>,
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
function assertShown({ columns, secretFile }: NewSecretFlags): void {
  const names = columns?.split(',').map((name) => name.trim());
  if (secretFile !== undefined || names === undefined) return;
  if (names.includes('secret') || names[0]?.startsWith('+')) return;
  throw new SalonError('usage', '--columns leaves out the secret, which is shown this once.', {
    hint: 'Name it too, or keep it with --secret-file.',
  });
}

/** A new file that only its owner can read. It is gone again unless a secret was kept in it. */
export interface SecretFile extends AsyncDisposable {
  /** Resolves when the secret is on disk. Throws `output_failed`. */
  keep(secret: string): Promise<void>;
}

const ownerAlone = 0o600;

/** Opens the file before anything is sent, so that no secret is made that has no place. Throws `usage`. */
export async function openSecretFile(file: string, io: Pick<Io, 'cwd'>): Promise<SecretFile> {
  const path = resolve(io.cwd, file);
  const handle = await openNew(path, file);
  let isOver = false;
  return {
    keep: (secret) =>
      attemptOn(file, async () => {
        await handle.writeFile(`${secret}\n`);
        await handle.sync();
        await handle.close();
        isOver = true;
      }),
    async [Symbol.asyncDispose]() {
      if (isOver) return;
      await handle.close();
      await unlink(path);
    },
  };
}

/** The system makes the file or refuses: nobody can put another one there in between. */
async function openNew(path: string, file: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', ownerAlone);
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') {
      throw new SalonError('usage', `--secret-file ${file} is there already, and is never written over.`, {
        hint: 'Name a file that is not there yet.',
      });
    }
    const failure = toFileFailure(`--secret-file ${file}`, error);
    if (!(failure instanceof SalonError)) throw failure;
    throw new SalonError('usage', failure.message, { hint: 'Choose another place for it.', cause: error });
  }
}
