import type { DatabaseSync } from 'node:sqlite';
import { SalonError } from '../../../contract/errors.ts';
import type { SqlValue } from '../rows.ts';
import { readResultCode, toDatabaseError } from './errors.ts';
import { openReading } from './salon-file.ts';
import { createRunner, type RunStatement } from './statements.ts';

/** What can be read. A snapshot is known by a number; reads without one see what is committed when they run. */
export type ReadJob =
  | {
      readonly kind: 'rows';
      readonly text: string;
      readonly values: readonly SqlValue[];
      readonly snapshot: number | undefined;
    }
  | { readonly kind: 'open' | 'close'; readonly snapshot: number }
  /** Closes all connections. */
  | { readonly kind: 'end' };

/** What comes back for every job. Errors of SQLite lose their result code on the way, so it is sent beside them. */
export type JobResult =
  | { readonly value: unknown }
  | { readonly error: unknown; readonly resultCode: number | undefined };

interface OpenConnection {
  readonly connection: DatabaseSync;
  readonly run: RunStatement;
}

/** Opens a file for reading. Returns what runs a job. */
export function openReadJobs(file: string): (job: ReadJob) => JobResult {
  let current: OpenConnection | undefined;
  const snapshots = new Map<number, OpenConnection>();

  function open(): OpenConnection {
    const connection = openReading(file);
    return { connection, run: createRunner(connection) };
  }

  function runJob(job: ReadJob): unknown {
    switch (job.kind) {
      case 'rows': {
        if (job.snapshot !== undefined) return findSnapshot(job.snapshot).run(job.text, job.values);
        current ??= open();
        return current.run(job.text, job.values);
      }
      case 'open':
        return openSnapshot(job.snapshot);
      case 'close':
        return closeSnapshot(job.snapshot);
      case 'end':
        for (const number of snapshots.keys()) closeSnapshot(number);
        current?.connection.close();
        return undefined;
    }
  }

  function openSnapshot(number: number): void {
    const opened = open();
    snapshots.set(number, opened);
    opened.connection.exec('begin');
    // A transaction sees one moment from its first read on.
    opened.run('select 1 from sqlite_schema limit 1', []);
  }

  function closeSnapshot(number: number): void {
    snapshots.get(number)?.connection.close();
    snapshots.delete(number);
  }

  function findSnapshot(number: number): OpenConnection {
    const found = snapshots.get(number);
    if (found === undefined) throw new Error(`The snapshot ${number} is closed.`);
    return found;
  }

  return (job) => {
    try {
      return { value: runJob(job) };
    } catch (thrown) {
      const error = thrown instanceof SalonError ? thrown.cause : thrown;
      return { error, resultCode: readResultCode(error) };
    }
  };
}

/** The value of a job that ran here or in a thread. Throws its error. */
export function toValue(result: JobResult): unknown {
  if ('value' in result) return result.value;
  const { error, resultCode } = result;
  if (resultCode === undefined) throw error;
  throw toDatabaseError(Object.assign(Object(error), { code: 'ERR_SQLITE_ERROR', errcode: resultCode }));
}
