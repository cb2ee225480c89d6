import { createReadStream } from 'node:fs';
import { SalonError } from '../../contract/errors.ts';
import { systemCodeOf } from '../jobs/file-failure.ts';

/** Longer lines are no lines of ours. */
const longestLine = 16 * 1_048_576;

/**
 * Lines of a plan in UTF-8, some at a time, each with the break at its end: a line without one is the last and was
 * cut off. Throws `usage` where the file cannot be read.
 */
export async function* readLines(path: string): AsyncGenerator<readonly string[]> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
      const [first = '', ...others]: string[] = chunk.split('\n');
      const lines = [rest + first, ...others];
      rest = lines.pop() ?? '';
      if (rest.length > longestLine) throw unreadable(path, 'its lines are too long');
      yield lines.map((line) => `${line}\n`);
    }
  } catch (error) {
    if (error instanceof SalonError || systemCodeOf(error) === undefined) throw error;
    throw unreadable(path, systemCodeOf(error) === 'ENOENT' ? 'it is not there' : String(error));
  }
  if (rest !== '') yield [rest];
}

function unreadable(path: string, reason: string): SalonError {
  return new SalonError('usage', `${path} cannot be read: ${reason}.`, {
    hint: 'Name a file that --plan has written; a job whose own plan is gone cannot be gone on with.',
  });
}
