import { stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import { toShownPath } from './shown-path.ts';

/**
 * Refuses what --output cannot become a file at: a folder, or a place in a folder that does not exist. Throws `usage`.
 * What else may stand in the way shows when the file is written.
 */
export async function assertOutputPlace(output: string, cwd: string): Promise<void> {
  const path = resolve(cwd, output);
  if (output.endsWith('/') || output.endsWith(sep) || (await isFolder(path))) {
    throw new SalonError('usage', `--output ${output} is a folder, not a file.`, {
      hint: 'Name the file in it as well.',
    });
  }
  const folder = dirname(path);
  if (await isFolder(folder)) return;
  throw new SalonError('usage', `There is no folder ${toShownPath(folder, cwd)} for --output ${output}.`, {
    hint: 'Make it first, or choose another place.',
  });
}

async function isFolder(path: string): Promise<boolean> {
  const there = await stat(path).catch(() => undefined);
  return there?.isDirectory() === true;
}
