import { platform, setPriority } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { SalonError } from '../../../contract/errors.ts';
import { readResultCode } from './errors.ts';
import type { JobResult, ThreadJob } from './read-threads.ts';
import { openReading } from './salon-file.ts';
import { createRunner, type RunStatement } from './statements.ts';

// The thread of a pool that reads: it runs one job at a time and answers each with a result.

const file: string = workerData;
const port = parentPort;
if (port === null) throw new Error('This file runs in a worker thread.');

/** A third of the usual share where threads compete for a processor. */
const niceness = 5;

// Requests that need no thread go first. Elsewhere the priority would be that of the whole process.
if (platform() === 'linux') setPriority(niceness);

interface OpenConnection {
  readonly connection: DatabaseSync;
  readonly run: RunStatement;
}

const current = open();
const snapshots = new Map<number, OpenConnection>();

function open(): OpenConnection {
  const connection = openReading(file);
  return { connection, run: createRunner(connection) };
}

function runJob(job: ThreadJob): unknown {
  switch (job.kind) {
    case 'rows': {
      const { run } = job.snapshot === undefined ? current : findSnapshot(job.snapshot);
      return run(job.text, job.values);
    }
    case 'open':
      return openSnapshot(job.snapshot);
    case 'close':
      return closeSnapshot(job.snapshot);
    case 'end':
      for (const number of snapshots.keys()) closeSnapshot(number);
      current.connection.close();
      port?.close();
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

function toResult(job: ThreadJob): JobResult {
  try {
    return { value: runJob(job) };
  } catch (thrown) {
    const error = thrown instanceof SalonError ? thrown.cause : thrown;
    return { error, resultCode: readResultCode(error) };
  }
}

port.on('message', (job: ThreadJob) => port.postMessage(toResult(job)));
