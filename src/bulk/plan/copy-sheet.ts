import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SalonError } from '../../contract/errors.ts';
import { createUnreadableError, systemCodeOf, withFileErrors } from '../jobs/file-access.ts';

/** Copies a sheet: it may change while it is read, and standard input can be read only once. */
export async function copySheet(
  input: string | AsyncIterable<Uint8Array>,
  folder: string,
  signal: AbortSignal | undefined,
) {
  const path = join(folder, 'input');
  const hash = createHash('sha256');
  async function* readInput(): AsyncGenerator<Uint8Array> {
    const bytes = typeof input === 'string' ? createReadStream(input) : input;
    const stream = bytes instanceof Readable ? bytes : Readable.from(bytes);
    try {
      // Standard input may never end.
      for await (const chunk of signal === undefined ? stream : addAbortSignal(signal, stream)) {
        hash.update(chunk);
        yield chunk;
      }
    } catch (cause) {
      if (typeof input !== 'string' || systemCodeOf(cause) === undefined) throw cause;
      throw createUnreadableError(input, cause);
    }
  }
  try {
    await withFileErrors(path, () => pipeline(readInput, createWriteStream(path, { mode: 0o600 })));
  } catch (thrown) {
    if (signal?.aborted) throw new SalonError('interrupted', 'Interrupted.', { cause: thrown });
    throw thrown;
  }
  return { path, sha256: hash.digest('hex') };
}
