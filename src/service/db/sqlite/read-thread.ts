import { getAsset, isSea } from 'node:sea';
import { Worker } from 'node:worker_threads';
import { SalonError } from '../../../contract/errors.ts';
import { type JobResult, type ReadJob, toValue } from './read-jobs.ts';

export type ReadThread = ReturnType<typeof startReadThread>;

/** Far more than any page needs; one that exceeds it ends the thread and not the service. */
const maxHeapMib = 256;

/** The build puts the worker beside its other files, an executable has its text. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './read-worker.ts' : './read-worker.cjs',
  import.meta.url,
);

/** Starts a thread that runs jobs in order. `onEnd` is called once it has ended, by itself or not. */
export function startReadThread(file: string, onEnd: () => void) {
  const worker = new Worker(isSea() ? getAsset('read-worker.cjs', 'utf8') : workerFile, {
    eval: isSea(),
    workerData: file,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMib },
  });
  // Only a job keeps the process alive.
  worker.unref();
  const waiting: ((result: JobResult) => void)[] = [];
  let cause: unknown;
  let hasEnded = false;

  worker.on('message', (result: JobResult) => {
    const settle = waiting.shift();
    if (waiting.length === 0) worker.unref();
    settle?.(result);
  });
  worker.on('error', (error) => {
    cause = error;
  });
  const exit = Promise.withResolvers<void>();
  worker.on('exit', () => {
    hasEnded = true;
    for (const settle of waiting.splice(0)) settle({ error: ended(), resultCode: undefined });
    onEnd();
    exit.resolve();
  });

  function ended(): SalonError {
    const message = 'The database could not be read.';
    return new SalonError('service_unavailable', message, { retryable: true, cause });
  }

  return {
    /** Rejects with `service_unavailable` if the thread ends. */
    async run(job: ReadJob): Promise<unknown> {
      if (hasEnded) throw ended();
      worker.ref();
      const result = await new Promise<JobResult>((resolve) => {
        waiting.push(resolve);
        worker.postMessage(job);
      });
      return toValue(result);
    },
    /** How many jobs it runs, or has yet to run. */
    get jobs() {
      return waiting.length;
    },
    /** Closes its connections. No job may be running. */
    async end(): Promise<void> {
      worker.ref();
      worker.postMessage({ kind: 'end' } satisfies ReadJob);
      await exit.promise;
    },
  };
}
