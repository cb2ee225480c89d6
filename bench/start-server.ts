import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Starts a program of this folder, or of the same folder of another checkout. It sends a message once it listens. */
export function startServer(
  program: string,
  args: readonly string[],
  checkout?: string,
): Disposable & { readonly process: ChildProcess } {
  const path = checkout === undefined ? new URL(program, import.meta.url) : join(checkout, 'bench', program);
  const child = fork(path, args);
  return { process: child, [Symbol.dispose]: () => child.kill('SIGKILL') };
}

/** A temporary folder for databases. */
export function openFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'salon-bench-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
