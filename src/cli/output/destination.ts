import { resolve } from 'node:path';
import { isEnabled } from '../../settings.ts';
import type { PrintFlags } from '../flags/options.ts';
import { type Io, write } from '../io.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { Layout } from './format.ts';
import type { Destination } from './output-file.ts';

/** Opens the file, the pager or standard output. A file appears, whole, when it is committed. */
export async function openDestination(
  context: CommandContext<PrintFlags>,
  layout: Layout,
): Promise<Destination> {
  const { flags, io } = context;
  if (flags.output !== undefined) {
    const { openOutputFile } = await import('./output-file.ts');
    return openOutputFile(resolve(io.cwd, flags.output));
  }
  const pager = await readPagerCommand(context, layout);
  if (pager !== undefined) return (await import('./pager.ts')).openPagedOutput(pager, context);
  return {
    write: (chunk) => write(io.stdout, chunk),
    async commit() {},
    async [Symbol.asyncDispose]() {},
  };
}

/** The command of the pager for output longer than the screen; undefined if none is used. */
export async function readPagerCommand(
  { flags, io, isPlain }: CommandContext<PrintFlags>,
  layout: Layout,
): Promise<string | undefined> {
  if (layout !== 'table' || flags.output !== undefined || (await isPlain())) return undefined;
  return choosePager(io, flags.pager);
}

/** The command of the pager; undefined if output is not paged. */
export function choosePager(
  { env, platform, terminal }: Pick<Io, 'env' | 'platform' | 'terminal'>,
  flag: boolean | undefined,
): string | undefined {
  if (flag === false || !terminal.output || env['TERM'] === 'dumb' || isEnabled(env['CI'])) return undefined;
  // The pager of Windows does not print colours.
  const command = (env['PAGER'] ?? (platform === 'win32' ? '' : 'less')).trim();
  return command === '' || command === 'cat' ? undefined : command;
}
