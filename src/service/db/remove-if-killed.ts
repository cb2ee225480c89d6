import { spawn } from 'node:child_process';

/** Reads the end of its standard input when the process at the other end has ended, however that happened. */
const script = `
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.stdin.resume().on('close', () => {
  for (const path of process.argv.slice(1)) require('node:fs').rmSync(path, { recursive: true, force: true });
});`;

/**
 * Removes files and folders if this process ends before the result is disposed of, also if it is killed. A second process
 * does so: while SQLite copies a database, this one cannot handle signals.
 */
export function removeIfKilled(paths: readonly string[]): Disposable {
  const watcher = spawn(process.execPath, ['--eval', script, '--', ...paths], {
    // Ctrl-C must not reach it before it handles signals.
    detached: true,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  });
  // Without the watcher, a kill leaves the files.
  watcher.on('error', () => {});
  watcher.stdin.on('error', () => {});
  watcher.unref();
  return {
    [Symbol.dispose]() {
      watcher.kill('SIGKILL');
      watcher.stdin.destroy();
    },
  };
}
