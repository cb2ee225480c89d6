import { resolve } from 'node:path';
import { type Io, write } from '../io.ts';
import { openOutputFile } from './output-file.ts';

/** Where data goes: standard output, or a file that appears whole or not at all. */
export interface Destination extends AsyncDisposable {
  write(text: string): Promise<void>;
  /** The data is complete. Without it, disposal leaves no file behind. */
  commit(): Promise<void>;
}

export async function openDestination(io: Io, output: string | undefined): Promise<Destination> {
  if (output === undefined) {
    return { write: (text) => write(io.stdout, text), async commit() {}, async [Symbol.asyncDispose]() {} };
  }
  const file = await openOutputFile(resolve(io.cwd, output));
  let committed = false;
  return {
    write: (text) => file.write(text),
    async commit() {
      await file.commit();
      committed = true;
    },
    async [Symbol.asyncDispose]() {
      if (!committed) await file.discard();
    },
  };
}
