import { fork } from 'node:child_process';

/** Learns from its channel that the other process has ended, however that happened. */
const script = `
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.on('disconnect', () => {
  for (const path of process.argv.slice(1)) require('node:fs').rmSync(path, { recursive: true, force: true });
});`;

/**
 * Removes files and folders if this process ends before the result is disposed of, also if it is killed. A second process
 * does so: while SQLite copies a database, this one cannot handle signals.
 */
export function removeIfKilled([first, ...others]: readonly [string, ...string[]]): Disposable {
  const watcher = fork(first, others, {
    // It needs no password of a database.
    env: {},
    execArgv: ['--eval', script, '--'],
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
