import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { isSea } from 'node:sea';
import { SalonError } from '../../../contract/errors.ts';

/** A name that tells an unfinished file from a whole one. */
const unfinished = '.partial';

/**
 * Creates a file that is whole or not there at all: it is written under another name and renamed when it is on the disk.
 * Throws `usage` if the file exists or cannot be created, and leaves nothing behind when `write` throws, nor when the
 * process is killed while it writes a large file.
 */
export async function publishFile(
  file: string,
  write: (draft: string) => Promise<void>,
  { isLarge = false } = {},
): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString('hex')}${unfinished}`;
  const beside = [file, `${file}-wal`, `${file}-shm`, `${file}-journal`].find((path) => existsSync(path));
  if (beside !== undefined) throw alreadyExists(beside);
  try {
    closeSync(openSync(draft, 'wx', 0o600));
  } catch (cause) {
    throw new SalonError('usage', `Cannot create ${file} (${codeOf(cause)}).`, {
      hint: 'Choose a new file name in an existing folder that you can write to.',
      cause,
    });
  }
  const draftFiles = [draft, `${draft}-wal`, `${draft}-shm`, `${draft}-journal`] as const;
  using _watcher = isLarge ? removeIfKilled(draftFiles) : undefined;
  try {
    await write(draft);
    sync(draft);
    publish(draft, file);
    if (platform() !== 'win32') sync(dirname(file));
  } finally {
    for (const path of draftFiles) rmSync(path, { force: true });
  }
}

/** A link fails when the name was taken meanwhile; some file systems have none. */
function publish(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (existsSync(file)) throw alreadyExists(file);
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error))) throw error;
    renameSync(draft, file);
  }
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function alreadyExists(path: string): SalonError {
  return new SalonError('usage', `${path} already exists.`, {
    hint: 'Choose a new file name, or move the old database away, with its -wal and -shm files.',
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/** Removes the files of its arguments once it learns from its channel that the other process has ended. */
export const removalScript = `
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.on('disconnect', () => {
  const { rmSync } = process.getBuiltinModule('node:fs');
  for (const path of process.argv.slice(1)) rmSync(path, { recursive: true, force: true });
});`;

/** Tells an executable, which takes no `--eval`, to run that script. */
export const removeVariable = 'REMOVE_AT_DISCONNECT';

/**
 * Removes files and folders if this process ends before the result is disposed of, also if it is killed. A second process
 * does so: while SQLite copies a database, this one cannot handle signals.
 */
export function removeIfKilled([first, ...others]: readonly [string, ...string[]]): Disposable {
  const watcher = fork(first, others, {
    // It needs no password of a database.
    env: isSea() ? { [removeVariable]: '1' } : {},
    execArgv: isSea() ? [] : ['--eval', removalScript, '--'],
    // Ctrl-C must not reach it before it handles signals.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Without the watcher, a kill leaves the files.
  watcher.on('error', () => {});
  watcher.unref();
  watcher.channel?.unref();
  return { [Symbol.dispose]: () => void watcher.kill('SIGKILL') };
}
