import { resolve } from 'node:path';
import type { PrintFlags } from '../flags/options.ts';
import { type Io, write } from '../io.ts';
import type { CommandContext } from '../session/command-context.ts';
import { choosePager, type Layout } from './format.ts';
import { openOutputFile } from './output-file.ts';

/** Where data goes: standard output, a pager, or a file that appears whole or not at all. */
export interface Destination extends AsyncDisposable {
  write(text: string): Promise<void>;
  /** The data is complete. Without it, disposal leaves no file behind. */
  commit(): Promise<void>;
  /** Rejects, as a closed pipe does, when nobody will read any more although nothing is being written. */
  readonly left: Promise<never>;
}

export async function openDestination(
  context: CommandContext<PrintFlags>,
  layout: Layout,
): Promise<Destination> {
  const { flags, io, status, messages } = context;
  if (flags.output !== undefined) return openFile(resolve(io.cwd, flags.output));
  const command = await choosePagerOf(context, layout);
  if (command === undefined) return openOutput(io);
  const { openScreen } = await import('./pager.ts');
  const screen = openScreen({ io, status, messages, command });
  return { ...screen, commit: screen.close };
}

/** The pager that a table goes through when it is longer than the screen; undefined where none would. */
export async function choosePagerOf(
  context: CommandContext<PrintFlags>,
  layout: Layout,
): Promise<string | undefined> {
  const { flags, io, isPlain } = context;
  if (layout !== 'table' || flags.output !== undefined || (await isPlain())) return undefined;
  return choosePager(io, flags.pager);
}

function openOutput(io: Io): Destination {
  return {
    write: (text) => write(io.stdout, text),
    async commit() {},
    left: never(),
    async [Symbol.asyncDispose]() {},
  };
}

async function openFile(path: string): Promise<Destination> {
  const file = await openOutputFile(path);
  let committed = false;
  return {
    write: (text) => file.write(text),
    async commit() {
      await file.commit();
      committed = true;
    },
    left: never(),
    async [Symbol.asyncDispose]() {
      if (!committed) await file.discard();
    },
  };
}

function never(): Promise<never> {
  return new Promise(() => {});
}
