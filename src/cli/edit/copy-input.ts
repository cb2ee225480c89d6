import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { attemptOn } from '../../bulk/jobs/file-access.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';
import { createUnreadableError } from '../messages/errors.ts';

/** A sheet as it was when it was given: what is read, planned and kept with the job. */
export interface CopiedInput {
  /** As people know it. */
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
}

/** Copies a sheet, or standard input, into a folder: it is read more than once and may change meanwhile. */
export async function copyInput(from: string, folder: string, io: Io): Promise<CopiedInput> {
  const path = join(folder, 'input');
  const hash = createHash('sha256');
  await attemptOn(path, () =>
    pipeline(readSource(from, io), hashing(hash), createWriteStream(path, { mode: 0o600 })),
  ).catch((thrown: unknown) => {
    // Whoever waits for standard input in vain wants an end of it.
    if (io.signal.aborted) throw new SalonError('interrupted', 'Interrupted.', { cause: thrown });
    throw thrown;
  });
  return { name: from === '-' ? 'standard input' : basename(from), path, sha256: hash.digest('hex') };
}

async function* readSource(from: string, { stdin, cwd, signal }: Io): AsyncGenerator<Buffer> {
  try {
    yield* addAbortSignal(signal, from === '-' ? stdin : createReadStream(resolve(cwd, from)));
  } catch (cause) {
    throw createUnreadableError(from, cause, 'Name a file with --file, or - for standard input.');
  }
}

function hashing(hash: Hash) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
}
