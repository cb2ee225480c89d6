import { resolve } from 'node:path';
import type { Chunk } from '../../bulk/sheet/row-writer.ts';
import type { PrintFlags } from '../flags/options.ts';
import { write } from '../io.ts';
import type { CommandContext } from '../session/command-context.ts';
import { choosePager, type Layout } from './format.ts';

/** Where data goes: standard output, a pager or a file. */
export interface Destination extends AsyncDisposable {
  write(chunk: Chunk): Promise<void>;
  /** Completes the data. A file that is not committed is discarded. */
  commit(): Promise<void>;
  /** Rejects when the reader closes the pager. */
  readonly closed?: Promise<never>;
}

export async function openDestination(
  context: CommandContext<PrintFlags>,
  layout: Layout,
): Promise<Destination> {
  const { flags, io, status, messages } = context;
  if (flags.output !== undefined) {
    const { openOutputFile } = await import('./output-file.ts');
    return openOutputFile(resolve(io.cwd, flags.output));
  }
  const command = await readPagerCommand(context, layout);
  if (command !== undefined) {
    const { openPagedOutput } = await import('./pager.ts');
    return openPagedOutput({ io, status, messages, command });
  }
  return {
    write: (chunk) => write(io.stdout, chunk),
    async commit() {},
    async [Symbol.asyncDispose]() {},
  };
}

/** The command of the pager for output longer than the screen; undefined if none is used. */
export async function readPagerCommand(
  context: CommandContext<PrintFlags>,
  layout: Layout,
): Promise<string | undefined> {
  const { flags, io, isPlain } = context;
  if (layout !== 'table' || flags.output !== undefined || (await isPlain())) return undefined;
  return choosePager(io, flags.pager);
}
