import { availableParallelism } from 'node:os';
import { SalonError } from '../../../contract/errors.ts';
import { createBoundedQueue } from '../../../queue.ts';
import type { EngineOptions, Reader, Snapshot } from '../engine.ts';
import { createPageReader } from '../page-reader.ts';
import type { SqlValue } from '../rows.ts';
import { longPages } from './pages.ts';
import { openReadJobs, toValue } from './read-jobs.ts';
import type { ReadThread, startReadThread } from './read-thread.ts';

/** A read that takes long leaves a thread to others. */
const minThreads = 2;
const maxThreads = 4;
/** Each holds a connection, and keeps the log from being moved into the file. */
const maxSnapshots = 16;
const retryAfterMs = 5_000;

/**
 * Creates threads for reads that may take long, so that they never hold up the event loop. Accounts take turns. Threads
 * start when there is something to read.
 */
export function createReadThreads(
  file: string,
  { observe = () => {}, readsHere = false }: EngineOptions = {},
) {
  const size = Math.min(maxThreads, Math.max(minThreads, availableParallelism() - 1));
  // No account has all threads, so that another one finds a free one.
  const queue = createBoundedQueue<string>({ maxRunning: size - 1, maxRunningTotal: size });
  const threads = new Set<ReadThread>();
  let nextSnapshot = 0;
  let openSnapshots = 0;
  let isClosed = false;

  /** A command starts no threads. */
  const loadStart = async () =>
    readsHere ? startReadingHere : (await import('./read-thread.ts')).startReadThread;

  /** An idle thread, or a new one. Where snapshots keep some threads busy with several jobs, the one with the fewest. */
  function findThread(startThread: typeof startReadThread): ReadThread {
    const [least] = [...threads].sort((a, b) => a.jobs - b.jobs);
    if (least !== undefined && (least.jobs === 0 || threads.size >= size)) return least;
    const thread = startThread(file, () => threads.delete(thread));
    threads.add(thread);
    return thread;
  }

  /** Each statement sees what is committed when it runs, or the moment of a snapshot. */
  function toReader(accountId: string, opened?: { thread: ReadThread; snapshot: number }): Reader {
    return {
      run: <Row>(text: string, values: readonly SqlValue[]) =>
        queue.run(accountId, async () => {
          if (isClosed) throw unavailable();
          const startMs = performance.now();
          const { thread = findThread(await loadStart()), snapshot } = opened ?? {};
          const rows = (await thread.run({ kind: 'rows', text, values, snapshot })) as Row[];
          observe({ text, ms: performance.now() - startMs, rows: rows.length });
          return rows;
        }),
    };
  }

  /** Throws `service_unavailable` when too many are open. */
  async function openSnapshot(accountId: string): Promise<Snapshot> {
    if (openSnapshots >= maxSnapshots) throw unavailable('Too many lists are being read in one response.');
    const snapshot = nextSnapshot++;
    openSnapshots += 1;
    const open = async () => {
      if (isClosed) throw unavailable();
      const thread = findThread(await loadStart());
      await thread.run({ kind: 'open', snapshot });
      return thread;
    };
    const thread = await queue.run(accountId, open).catch((error: unknown) => {
      openSnapshots -= 1;
      throw error;
    });
    let closing: Promise<unknown> | undefined;
    const close = () => {
      openSnapshots -= 1;
      // Its connection is closed with its thread at the latest.
      return queue.run(accountId, () => thread.run({ kind: 'close', snapshot })).catch(() => {});
    };
    const reader = toReader(accountId, { thread, snapshot });
    return {
      ...reader,
      readPage: createPageReader(() => reader, longPages),
      close: async () => {
        closing ??= close();
        await closing;
      },
    };
  }

  return {
    readPage: createPageReader((accountId) => toReader(accountId), longPages),
    toReader: (accountId: string) => toReader(accountId),
    openSnapshot,
    /** Finishes what is running, and rejects what waits with `service_unavailable`. */
    async close() {
      isClosed = true;
      await queue.settled();
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

function unavailable(message = 'The database is being closed.'): SalonError {
  return new SalonError('service_unavailable', message, { retryable: true, retryAfterMs });
}

/** Runs jobs in this thread, one after the other. */
function startReadingHere(file: string): ReadThread {
  const run = openReadJobs(file);
  return { run: async (job) => toValue(run(job)), jobs: 0, end: async () => void run({ kind: 'end' }) };
}
