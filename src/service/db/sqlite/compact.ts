import { once } from 'node:events';
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Reader } from '../engine.ts';
import { retryUntil, toDatabaseError } from './errors.ts';

/** How long a purge waits for other processes that read, such as a backup. */
const purgeTimeoutMs = 1000;

/** How long to wait for other writers. */
const timeoutMs = 5000;

/** A larger copy goes to a temporary file, which has no name. */
const maxMemoryBytes = 2 ** 27;

/** As a text, because a bundle has no file for a worker. In this thread it would block every request. */
const script = `
const { DatabaseSync } = require('node:sqlite');
const { file, timeoutMs, temporary } = require('node:worker_threads').workerData;
const database = new DatabaseSync(file, { timeout: timeoutMs });
database.exec('pragma temp_store = ' + temporary);
database.exec('vacuum');
database.close();`;

/**
 * Rewrites a database file. `secure_delete` overwrites deleted rows, but not the copies that SQLite leaves in the unused
 * part of a page when it moves rows to another one. Returns false if the database was busy or the disk is full.
 */
export async function compactFile(file: string): Promise<boolean> {
  const { Worker } = await import('node:worker_threads');
  const temporary = statSync(file).size > maxMemoryBytes ? 'file' : 'memory';
  const worker = new Worker(script, { eval: true, workerData: { file, timeoutMs, temporary } });
  return once(worker, 'exit').then(
    () => true,
    () => false,
  );
}

/**
 * Moves the write-ahead log into the database file and truncates it: overwritten data would stay in the log while the
 * service runs. Returns false when another process reads for longer: the next purge or the end of the service does it.
 */
export async function purgeLog(sqlite: DatabaseSync): Promise<boolean> {
  const truncate = () => sqlite.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] === 0;
  try {
    return await retryUntil(() => !sqlite.isTransaction && truncate(), purgeTimeoutMs);
  } catch (error) {
    throw toDatabaseError(error);
  }
}

/**
 * Statistics of all tables that have none, or ten times the rows. Of all rows, at a second for a million: a sample would be
 * the clients without an email.
 */
const optimizing = 0x10002;
/** Only returns what would be done. */
const asking = 1;

/** Collects statistics for SQLite's query planner where tables have grown or shrunk. */
export async function updateStatistics(tx: Reader): Promise<void> {
  const due = await tx.run(`pragma optimize(${optimizing | asking})`, []);
  if (due.length === 0) return;
  await tx.run(`pragma optimize(${optimizing})`, []);
  // Connections read the statistics with the schema, which they read again after a change.
  await tx.run('create table changed (id)', []);
  await tx.run('drop table changed', []);
}

/** Between two purges, so that many erasures do not keep the disk busy. */
const pauseMs = 1000;

/** Purges when asked. What fails, or is prevented by a process that reads, is left to the regular clean-up. */
export function createBackgroundPurge(purge: () => Promise<boolean>) {
  const closing = new AbortController();
  const { signal } = closing;
  let isRequested = false;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (isRequested && !signal.aborted) {
      isRequested = false;
      await purge().catch(() => false);
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    running = undefined;
  }

  return {
    /** Has a purge made soon; one that is running does not count, because it may have begun before the erasure. */
    request() {
      isRequested = true;
      running ??= run();
    },
    /** Ends pauses, and waits for a purge that is running. */
    async close() {
      closing.abort();
      await running;
    },
  };
}
