import { Worker } from 'node:worker_threads';
import { SalonError } from '../../../../contract/errors.ts';
import type { SqlValue } from '../../conditions.ts';
import { toDatabaseError } from '../errors.ts';

/** A thread that runs one job after the other. */
export interface ReadThread {
  /** Rejects with `service_unavailable` if the thread ends. One job at a time. */
  run(job: ThreadJob): Promise<unknown>;
  /** Closes its connections. No job may be running. */
  end(): Promise<void>;
}

/** Far more than any page needs; one that exceeds it ends the thread and not the service. */
const maxHeapMib = 256;

/** The build puts the worker beside its other files. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './read-worker.ts' : './read-worker.js',
  import.meta.url,
);

/** Starts a thread on a database file. `onEnd` is called once it has ended for whatever reason. */
export function startReadThread(options: ThreadOptions, onEnd: () => void): ReadThread {
  const worker = new Worker(workerFile, {
    workerData: options,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMib },
  });
  // Only a job keeps the process alive.
  worker.unref();
  let settle: ((result: JobResult) => void) | undefined;
  let failure: unknown;

  worker.on('message', (result: JobResult) => settle?.(result));
  worker.on('error', (error) => {
    failure = error;
  });
  const exit = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      const message = 'The database could not be read.';
      const error = new SalonError('service_unavailable', message, { retryable: true, cause: failure });
      settle?.({ error, resultCode: undefined });
      onEnd();
      resolve();
    });
  });

  function run(job: ThreadJob): Promise<unknown> {
    worker.ref();
    return new Promise((resolve, reject) => {
      settle = (result) => {
        settle = undefined;
        worker.unref();
        if ('value' in result) resolve(result.value);
        else reject(toError(result));
      };
      worker.postMessage(job);
    });
  }

  return {
    run,
    async end() {
      worker.ref();
      worker.postMessage({ kind: 'end' } satisfies ThreadJob);
      await exit;
    },
  };
}

function toError({ error, resultCode }: { error: unknown; resultCode: number | undefined }): unknown {
  if (resultCode === undefined) return error;
  return toDatabaseError(Object.assign(Object(error), { code: 'ERR_SQLITE_ERROR', errcode: resultCode }));
}

/** What a thread can do. A snapshot is known by a number; reads without one see what is committed when they run. */
export type ThreadJob =
  | {
      readonly kind: 'rows';
      readonly text: string;
      readonly values: readonly SqlValue[];
      readonly snapshot?: number;
    }
  | { readonly kind: 'open' | 'close'; readonly snapshot: number }
  /** Closes all connections; the thread then ends. */
  | { readonly kind: 'end' };

/** What comes back for every job. Errors of SQLite lose their result code on the way, so it is sent beside them. */
export type JobResult =
  | { readonly value: unknown }
  | { readonly error: unknown; readonly resultCode: number | undefined };

/** What a thread is started with. */
export interface ThreadOptions {
  readonly file: string;
}
