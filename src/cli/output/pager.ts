import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { type Io, write } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import type { StatusLine } from '../messages/status-line.ts';

/** A program that shows its standard input on the terminal, page by page. */
export interface Pager {
  readonly stdin: Writable;
  /** Settles when it has ended. One that is not there, or cannot be run, has never started. */
  readonly ended: Promise<'read' | 'never started'>;
}

/** Starts a pager. `less` is told to leave colours and the screen as they are, unless LESS says otherwise. */
export function startPager(command: string, env: Io['env']): Pager {
  const child = spawn(command, {
    // Without a shell it is known for certain whether the program is there.
    shell: !/^[\w./+-]+$/.test(command),
    env: { LESS: 'FRX', LV: '-c', ...env },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  // A pager that was left shows up as a failed write.
  child.stdin.on('error', () => {});
  const ended = new Promise<'read' | 'never started'>((resolve) => {
    child.on('error', () => resolve('never started'));
    child.on('exit', (code) => resolve(code !== null && notRun.has(code) ? 'never started' : 'read'));
  });
  return { stdin: child.stdin, ended };
}

/** What a shell answers for a command that it does not find, or may not run. */
const notRun: ReadonlySet<number> = new Set([126, 127]);

/** Where a person reads a text. */
export interface Screen extends AsyncDisposable {
  write(text: string): Promise<void>;
  /** Shows what is still held back. Resolves when the reader is done; disposal does the same. */
  close(): Promise<void>;
  /** Rejects, as a closed pipe does, when the reader goes before the end of the text. */
  readonly left: Promise<never>;
}

export interface ScreenOptions {
  readonly io: Io;
  readonly status: StatusLine;
  readonly messages: Messages;
  /** The command of the pager. */
  readonly command: string;
}

/** More than a pipe holds on any system: a pager that took this much has been reading. */
const mostInPipe = 1_048_576;

/**
 * The terminal for a text of unknown length: what fits is printed once it is complete, anything longer goes through
 * a pager. Each write waits until the pager takes it, and the end until the reader leaves it. Until then the
 * terminal is the pager's.
 */
export function openScreen({ io, status, messages, command }: ScreenOptions): Screen {
  // Not shown yet, or given to a pager that may turn out not to be there.
  let held = '';
  let pager: Pager | undefined;
  let isPlain = false;
  const lent = new DisposableStack();
  const leaving = Promise.withResolvers<never>();
  leaving.promise.catch(() => {});

  async function show(text: string): Promise<void> {
    if (isPlain) return write(io.stdout, text);
    if (held.length <= mostInPipe) held += text;
    if (pager === undefined && !isLonger(held, io.terminal.rows)) return;
    const unseen = pager === undefined ? held : text;
    pager ??= start();
    try {
      await write(pager.stdin, unseen);
    } catch (error) {
      if (!(await hasFailed(pager))) throw error;
      await showWithout();
    }
  }

  function start(): Pager {
    const started = startPager(command, io.env);
    lent.use(status.mute());
    lent.use(io.lendTerminal());
    void started.ended.then((end) => end === 'read' && leaving.reject(readerLeft()));
    return started;
  }

  async function close(): Promise<void> {
    if (isPlain) return;
    if (pager === undefined) return showPlainly();
    pager.stdin.end();
    if (await hasFailed(pager)) return showWithout();
    lent.dispose();
    isPlain = true;
  }

  async function hasFailed({ ended }: Pager): Promise<boolean> {
    return (await ended) === 'never started' && held.length <= mostInPipe;
  }

  function showWithout(): Promise<void> {
    lent.dispose();
    messages.warn(`The pager "${command}" could not be started. PAGER names another one, --no-pager none.`);
    return showPlainly();
  }

  function showPlainly(): Promise<void> {
    isPlain = true;
    return write(io.stdout, held);
  }

  return { write: show, close, left: leaving.promise, [Symbol.asyncDispose]: close };
}

/** Whether a text and the next prompt need more lines than there are. */
function isLonger(text: string, rows: number): boolean {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && lines < rows; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines >= rows;
}

function readerLeft(): Error {
  return Object.assign(new Error('The pager was left.'), { code: 'EPIPE' });
}
