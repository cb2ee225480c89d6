import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import type { Io } from '../io.ts';

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
