import { type FileHandle, open, readFile, unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  createUnreadableError,
  systemCodeOf,
  toFileFailure,
  withFileErrors,
} from '../../../bulk/jobs/file-access.ts';
import type { Fields } from '../../../client/json-object.ts';
import { SalonError, withContext } from '../../../contract/errors.ts';
import { readVariable } from '../../../settings.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import type { PrintFlags } from '../../flags/options.ts';
import { settingTable } from '../../flags/settings.ts';
import type { Io } from '../../io.ts';
import type { ColumnSet } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export const keyFileFlag = {
  keyFile: { flag: '--key-file <file>', help: 'Save the key to a new file (readable only by you)' },
} as const satisfies FlagTable;

export const secretFileFlag = {
  secretFile: { flag: '--secret-file <file>', help: 'save the secret to a new file (readable only by you)' },
} as const satisfies FlagTable;

export type NewKeyFlags = PrintFlags & FlagValues<typeof keyFileFlag>;

type NewSecretFlags = NewKeyFlags & FlagValues<typeof secretFileFlag>;

/** The result of a request that created a secret. */
interface NewSecret {
  readonly id: string;
  /** Includes the secret. */
  readonly record: Fields;
  /** Columns without the secret. */
  readonly columns: ColumnSet;
  /** What happened, as a sentence. */
  readonly message: string;
}

/** The secrets that are shown once, by the field of the record that has them. */
const kinds = {
  secret: { flag: '--secret-file', again: 'salon webhooks rotate' },
  key: { flag: '--key-file', again: 'salon keys roll' },
} as const;

/** Creates a secret and saves it to a file, or shows it once. Throws `usage`. */
export async function makeSecret(
  field: keyof typeof kinds,
  { flags, io, messages }: CommandContext<NewSecretFlags>,
  make: () => Promise<NewSecret>,
): Promise<CommandResult> {
  const { flag, again } = kinds[field];
  const path = field === 'key' ? flags.keyFile : flags.secretFile;
  if (path === undefined) assertShown(flags, field);
  await using file = path === undefined ? undefined : await openSecretFile(path, io, flag);
  const { id, record, columns, message } = await make();
  const { [field]: secret, ...others } = record;
  if (typeof secret !== 'string') {
    messages.warn(`The server returned no ${field}.`);
    return { show: 'record', record, columns, message };
  }
  if (file === undefined) {
    messages.info(`${message} The ${field} is shown only once: save it now.`);
    const all = [...columns.all, { key: field, kind: 'text' } as const];
    return { show: 'record', record, columns: { ...columns, all } };
  }
  await file.keep(secret).catch((thrown: unknown) => {
    if (!(thrown instanceof SalonError)) throw thrown;
    const lost = `${message} ${thrown.message} The ${field} is lost.`;
    throw withContext(thrown, { message: lost, hint: `Create a new one: ${again} ${id}` });
  });
  return { show: 'record', record: others, columns, message: `${message} The ${field} is in ${path}.` };
}

/** A secret that is neither saved nor shown would be lost. */
function assertShown({ columns }: PrintFlags, field: keyof typeof kinds): void {
  const names = columns?.split(',').map((name) => name.trim());
  if (names === undefined || names.includes(field) || names[0]?.startsWith('+')) return;
  throw new SalonError('usage', `--columns omits the ${field}, which is shown only once.`, {
    hint: `Add ${field} to --columns, or save it with ${kinds[field].flag}.`,
  });
}

const ownerAlone = 0o600;

/**
 * Opens the file before the request, so that no secret is created that cannot be saved. Disposing removes it unless one
 * was saved. Throws `usage`.
 */
export async function openSecretFile(file: string, io: Pick<Io, 'cwd'>, flag = '--secret-file') {
  const path = resolve(io.cwd, file);
  const handle = await openNew(path, `${flag} ${file}`);
  let isOver = false;
  return {
    /** Resolves once the secret is on disk. Throws `output_failed`. */
    keep: (secret: string) =>
      withFileErrors(file, async () => {
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
async function openNew(path: string, name: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', ownerAlone);
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') {
      throw new SalonError('usage', `${name} already exists. Existing files are never overwritten.`, {
        hint: 'Choose a new file name.',
      });
    }
    const failure = toFileFailure(name, error);
    if (!(failure instanceof SalonError)) throw failure;
    throw new SalonError('usage', failure.message, { hint: 'Choose another path.', cause: error });
  }
}

/**
 * Reads secrets from the file, else from the environment; never from a flag, which other users could see. Returns
 * undefined if neither is given. Throws `usage` for an unreadable or empty file.
 */
export async function readGivenSecrets(
  { secretFile }: Pick<NewSecretFlags, 'secretFile'>,
  io: Io,
): Promise<readonly string[] | undefined> {
  if (secretFile !== undefined) return readSecretFile(secretFile, '--secret-file', io);
  const secrets = toLines(readVariable(settingTable.webhookSecret, io.env) ?? '');
  return secrets.length > 0 ? secrets : undefined;
}

/** Reads secrets from a file, one per line. Throws `usage`, naming the flag, if there is none. */
export async function readSecretFile(file: string, flag: string, io: Io): Promise<readonly string[]> {
  const secrets = toLines((await readInput(file, flag, io)).toString('utf8'));
  if (secrets.length > 0) return secrets;
  throw new SalonError('usage', `${flag} ${file} is empty.`, {
    hint: 'Use the file written by: salon webhooks create --secret-file <file>',
  });
}

/** Reads a file, or standard input for `-`. Throws `usage`, naming the flag. */
export async function readInput(file: string, flag: string, io: Io): Promise<Buffer> {
  if (file === '-') return buffer(io.stdin);
  return readFile(resolve(io.cwd, file)).catch((cause: Error) => {
    throw createUnreadableError(`${flag} ${file}`, cause);
  });
}

function toLines(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => line.trim() || []);
}
