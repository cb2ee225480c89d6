import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SalonError } from '../../../contract/errors.ts';
import { publishFile } from './publish-file.ts';
import { applicationId, assertAccess, findFile } from './salon-file.ts';

/**
 * Creates a database without tables that only its owner can read, if there is no file. An empty file is refused:
 * something has gone wrong with it. Throws `usage`.
 */
export async function ensureFile(file: string): Promise<void> {
  if (findFile(file)) return assertAccess(file);
  const folder = dirname(file);
  if (!existsSync(folder)) {
    throw new SalonError('usage', `The folder ${folder} does not exist.`, {
      hint: 'Create it first, or choose another file.',
    });
  }
  await publishFile(file, async (draft) => {
    using created = new DatabaseSync(draft);
    created.exec(`pragma application_id = ${applicationId}`);
  }).catch((error: unknown) => {
    // Another process was faster.
    if (!existsSync(file)) throw error;
  });
}
