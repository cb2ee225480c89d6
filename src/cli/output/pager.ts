import { spawn } from 'node:child_process';
import type { Chunk } from '../../bulk/sheet/sheet-text.ts';
import { type Io, toProgramEnv, write } from '../io.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { Destination } from './output-file.ts';

/** More than a pipe holds on any system: a pager that took this much is running. */
const maxPipeLength = 1_048_576;
const lessOptions = '-FRXK -Ps?e(END) :Space for more, .q leaves$';

/**
 * Prints text that fits on the screen once it is complete, and sends longer text through a pager. A write waits until
 * the pager takes it; `commit` and dispose wait until the reader closes the pager. Until then nothing else may write
 * to the terminal.
 */
export function openPagedOutput(
  command: string,
  { io, status, messages }: Pick<CommandContext, 'io' | 'status' | 'messages'>,
): Destination {
  // Kept until it is printed, or until it is certain that the pager is running.
  let held = '';
  let pager: ReturnType<typeof startPager> | undefined;
  let usesPager = true;
  const pagerResources = new DisposableStack();
  const closing = Promise.withResolvers<never>();
  closing.promise.catch(() => {});

  async function writeText(chunk: Chunk): Promise<void> {
    if (!usesPager) return write(io.stdout, chunk);
    const text = String(chunk);
    if (held.length <= maxPipeLength) held += text;
    if (pager === undefined && !exceedsScreen(held, io.terminal.rows)) return;
    const unsent = pager === undefined ? held : text;
    pager ??= start();
    try {
      await write(pager.stdin, unsent);
    } catch (error) {
      if (!(await hasFailed(pager.ended))) throw error;
      await printWithoutPager();
    }
  }

  function start() {
    const started = startPager(command, io.env);
    pagerResources.use(status.mute());
    pagerResources.use(io.lendTerminal());
    const closed = Object.assign(new Error('The pager was closed.'), { code: 'EPIPE' });
    void started.ended.then((end) => end === 'closed' && closing.reject(closed));
    return started;
  }

  async function close(): Promise<void> {
    if (!usesPager) return;
    if (pager === undefined) return printHeld();
    pager.stdin.end();
    if (await hasFailed(pager.ended)) return printWithoutPager();
    pagerResources.dispose();
    usesPager = false;
  }

  async function hasFailed(ended: Promise<PagerEnd>): Promise<boolean> {
    return (await ended) === 'not started' && held.length <= maxPipeLength;
  }

  function printWithoutPager(): Promise<void> {
    pagerResources.dispose();
    messages.warn(`Could not start the pager "${command}". Set PAGER to another one, or use --no-pager.`);
    return printHeld();
  }

  function printHeld(): Promise<void> {
    usesPager = false;
    return write(io.stdout, held);
  }

  return { write: writeText, commit: close, closed: closing.promise, [Symbol.asyncDispose]: close };
}

/** Whether a text and the next prompt need more lines than the screen has. */
function exceedsScreen(text: string, rows: number): boolean {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && lines < rows; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines >= rows;
}

type PagerEnd = 'closed' | 'not started';

/**
 * Starts a pager. Unless LESS is set, `less` keeps colours, leaves its text on the screen, says how to leave, and ends
 * at Ctrl-C. Unless LESSSECURE is set, what is typed there writes no files and starts no programs.
 */
function startPager(command: string, env: Io['env']) {
  const child = spawn(command, {
    // Without a shell, a missing program is an error event.
    shell: !/^[\w./+-]+$/.test(command),
    env: { LESS: lessOptions, LESSSECURE: '1', LV: '-c', ...toProgramEnv(env) },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  // A closed pager shows up as a failed write.
  child.stdin.on('error', () => {});
  const ended = new Promise<PagerEnd>((resolve) => {
    child.on('error', () => resolve('not started'));
    child.on('exit', (code) => resolve(code !== null && notStarted.has(code) ? 'not started' : 'closed'));
  });
  return { stdin: child.stdin, ended };
}

/** Exit codes of a shell for a command that it cannot find or run. */
const notStarted: ReadonlySet<number> = new Set([126, 127]);
