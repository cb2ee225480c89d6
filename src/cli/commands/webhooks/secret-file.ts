import { type FileHandle, open, unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { attemptOn, systemCodeOf, toFileFailure } from '../../../bulk/jobs/file-access.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { Io } from '../../io.ts';

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
