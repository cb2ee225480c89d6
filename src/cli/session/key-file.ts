import { accessSync, constants, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
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
  { cwd, platform }: Pick<Io, 'cwd' | 'platform'>,
): Promise<string> {
  const path = resolve(cwd, file);
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw createUnreadableError(shown, cause);
  });
  const mode = statSync(path).mode & 0o777;
  if (platform === 'win32' || (mode & 0o007) === 0 || !canBeClosed(path)) return text;
  throw new SalonError('usage', `Other users can read the API key in ${file} (mode ${mode.toString(8)}).`, {
    hint: `Run: chmod 600 ${file}`,
  });
}

/** Whether the mode is this user's choice: that of a pipe, or of a secret mounted into a container, is not. */
function canBeClosed(path: string): boolean {
  const file = statSync(path);
  if (!file.isFile() || file.uid !== userInfo().uid) return false;
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EROFS');
  }
}
