import { closeSync, openSync, rmSync } from 'node:fs';
import { sql } from 'kysely';
import { SalonError } from '../../contract/errors.ts';
import type { Database } from './database.ts';

/**
 * Copies a database into a new file, as it stands at one moment; whoever writes meanwhile is not held up.
 * Throws `usage` when the file exists or cannot be made.
 */
export async function backupDatabase({ reader }: Pick<Database, 'reader'>, file: string): Promise<void> {
  try {
    // Made here, so that only its owner can read it and nothing that exists is written over.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (cause) {
    throw new SalonError('usage', `The backup ${file} cannot be made there.`, {
      hint: 'Name a file that does not exist yet, in a folder that does.',
      cause,
    });
  }
  try {
    await sql`vacuum into ${file}`.execute(reader);
  } catch (fault) {
    rmSync(file, { force: true });
    throw fault;
  }
}
