import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Starts a program of this folder and waits for its message that it listens. */
export function startServer(
  program: string,
  args: readonly string[],
): Disposable & { readonly process: ChildProcess } {
  const child = fork(new URL(program, import.meta.url), args);
  return { process: child, [Symbol.dispose]: () => child.kill('SIGKILL') };
}

/** A temporary folder for databases. */
export function openFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'salon-bench-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
