import { type FileHandle, open, unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Row } from '../../../bulk/export/write-pages.ts';
import { attemptOn, systemCodeOf, toFileFailure } from '../../../bulk/jobs/file-access.ts';
import { SalonError, withContext } from '../../../contract/errors.ts';
import type { PrintFlags } from '../../flags/options.ts';
import type { Io } from '../../io.ts';
import type { ColumnSet } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export interface NewSecretFlags extends PrintFlags {
  readonly secretFile?: string;
}

export function addSecretOption(command: Command): Command {
  return command.option('--secret-file <file>', 'save the secret to a new file (readable only by you)');
}

/** The result of a request that created a secret. */
export interface NewSecret {
  readonly id: string;
  /** Includes the secret. */
  readonly record: Row;
  /** Columns without the secret. */
  readonly columns: ColumnSet;
  /** What happened, as a sentence. */
  readonly message: string;
}

/** Creates a secret and saves it to --secret-file, or shows it once. Throws `usage`. */
export async function makeSecret(
  { flags, io, messages }: CommandContext<NewSecretFlags>,
  make: () => Promise<NewSecret>,
): Promise<CommandResult> {
  assertShown(flags);
  await using file = flags.secretFile === undefined ? undefined : await openSecretFile(flags.secretFile, io);
  const { id, record, columns, message } = await make();
  const { secret, ...others } = record;
  if (typeof secret !== 'string') {
    messages.warn('The server returned no secret.');
    return { show: 'record', record, columns, message };
  }
  if (file === undefined) {
    messages.info(`${message} The secret is shown only once: save it now.`);
    const all = [...columns.all, { key: 'secret', kind: 'text' } as const];
    return { show: 'record', record, columns: { ...columns, all } };
  }
  await file.keep(secret).catch((thrown: unknown) => {
    if (!(thrown instanceof SalonError)) throw thrown;
    const lost = `${message} ${thrown.message} The secret is lost.`;
    throw withContext(thrown, { message: lost, hint: `Create a new one: salon webhooks rotate ${id}` });
  });
  return {
    show: 'record',
    record: others,
    columns,
    message: `${message} The secret is in ${flags.secretFile}.`,
  };
}

/** A secret that is neither saved nor shown would be lost. */
function assertShown({ columns, secretFile }: NewSecretFlags): void {
  const names = columns?.split(',').map((name) => name.trim());
  if (secretFile !== undefined || names === undefined) return;
  if (names.includes('secret') || names[0]?.startsWith('+')) return;
  throw new SalonError('usage', '--columns omits the secret, which is shown only once.', {
    hint: 'Add secret to --columns, or save it with --secret-file.',
  });
}

/** A new file that only its owner can read. Disposing removes it unless a secret was saved. */
export interface SecretFile extends AsyncDisposable {
  /** Resolves once the secret is on disk. Throws `output_failed`. */
  keep(secret: string): Promise<void>;
}

const ownerAlone = 0o600;

/** Opens the file before the request, so that no secret is created that cannot be saved. Throws `usage`. */
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

/** `wx` creates the file atomically, so that no other process can place one in between. */
async function openNew(path: string, file: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', ownerAlone);
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') {
      throw new SalonError(
        'usage',
        `--secret-file ${file} exists already. Existing files are never overwritten.`,
        {
          hint: 'Choose a new file name.',
        },
      );
    }
    const failure = toFileFailure(`--secret-file ${file}`, error);
    if (!(failure instanceof SalonError)) throw failure;
    throw new SalonError('usage', failure.message, { hint: 'Choose another path.', cause: error });
  }
}
