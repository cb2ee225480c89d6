import { chmodSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createUnreadableError } from '../../bulk/jobs/file-access.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';

/**
 * Reads the file of an API key; `shown` is its name in errors. Throws `usage` for a file that cannot be read, and for
 * one that other users can read although its owner runs this command.
 */
export async function readKeyFile(
  file: string,
  shown: string,
  { cwd, platform, userId }: Pick<Io, 'cwd' | 'platform' | 'userId'>,
): Promise<string> {
  const path = resolve(cwd, file);
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw createUnreadableError(shown, cause);
  });
  const found = statSync(path);
  const mode = found.mode & 0o777;
  const isOwnFile = found.isFile() && found.uid === userId;
  if (platform === 'win32' || (mode & 0o007) === 0 || !isOwnFile || !canSetMode(path, mode)) return text;
  throw new SalonError('usage', `Other users can read the API key in ${file} (mode ${mode.toString(8)}).`, {
    hint: `Run: chmod 600 ${file}`,
  });
}

/** False for a secret that is mounted into a container, whose mode is not this user's choice. */
function canSetMode(path: string, mode: number): boolean {
  try {
    chmodSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
