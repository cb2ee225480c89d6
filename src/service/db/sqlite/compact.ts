import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** How long the rewrite waits for other writers. */
const timeoutMs = 5000;

/** A plain script, because a worker cannot be bundled. `vacuum` would block the event loop for 4 ms per megabyte. */
const script = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(workerData.file, { timeout: workerData.timeoutMs });
try {
  database.exec('pragma temp_store = memory');
  database.exec('vacuum');
  parentPort.postMessage(true);
} catch {
  parentPort.postMessage(false);
} finally {
  database.close();
}`;

/**
 * Rewrites a database file. `secure_delete` overwrites deleted rows, but not the copies that SQLite leaves in the unused
 * part of a page when it moves rows to another one. Returns false if the database was busy or the disk is full.
 */
export async function compactFile(file: string): Promise<boolean> {
  const worker = new Worker(script, { eval: true, workerData: { file, timeoutMs } });
  const exited = once(worker, 'exit');
  const [isDone] = await once(worker, 'message');
  await exited;
  return isDone === true;
}

export function readFileBytes(file: string): number {
  return statSync(file).size;
}
