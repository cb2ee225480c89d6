import { DatabaseSync } from 'node:sqlite';

/** Readers wait only for a process that recovers the log of a crashed one. */
const recoveryTimeoutMs = 5000;

/**
 * Opens a connection that only reads. It does not map the file into memory: truncating the file would then kill
 * the process. Its cache keeps SQLite's usual 2 MB: what is in a larger one has left the processor's caches, and takes
 * as long to read as from the system.
 */
export function openReading(file: string): DatabaseSync {
  return new DatabaseSync(file, { readOnly: true, timeout: recoveryTimeoutMs });
}
