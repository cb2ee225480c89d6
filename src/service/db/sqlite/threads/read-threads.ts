import { availableParallelism } from 'node:os';
import { SalonError } from '../../../../contract/errors.ts';
import type { Reader, Snapshot, StatementObserver } from '../../engine.ts';
import { createPageReader } from '../../page-reader.ts';
import type { CollectionPage, ListPageRequest } from '../../pages.ts';
import { longPages } from '../pages.ts';
import { type ReadThread, startReadThread, type ThreadJob } from './read-thread.ts';
import { type AccountJob, createRoundRobinQueue } from './round-robin-queue.ts';

/** Reads that may take long, in threads, so that they never hold up the event loop. Accounts take turns. */
export interface ReadThreads {
  readPage(request: ListPageRequest): Promise<CollectionPage>;
  /** Runs statements of an account, each of which sees what is committed when it runs. */
  toReader(accountId: string): Reader;
  /** Throws `service_unavailable` when too many are open. */
  openSnapshot(accountId: string): Promise<Snapshot>;
  /** Finishes what is running, and rejects what waits with `service_unavailable`. */
  close(): Promise<void>;
}

interface RanJob {
  readonly value: unknown;
  /** Which thread has run it, and how long that took. */
  readonly thread: number;
  readonly ms: number;
}

interface QueuedJob extends AccountJob {
  readonly job: ThreadJob;
  resolve(ran: RanJob): void;
  reject(error: unknown): void;
}

/** A read that takes long leaves a thread to others. */
const minThreads = 2;
const maxThreads = 4;
/** Each holds a connection, and keeps the log from being moved into the file. */
const maxSnapshots = 16;
const retryAfterMs = 5_000;

/** Creates the pool. Its threads start when there is something to read. */
export function createReadThreads(file: string, observe: StatementObserver = () => {}): ReadThreads {
  const size = Math.min(maxThreads, Math.max(minThreads, availableParallelism() - 1));
  const waiting = createRoundRobinQueue<QueuedJob>(size - 1);
  const threads = new Map<number, ReadThread>();
  const idle = new Set<number>();
  const running = new Set<Promise<void>>();
  let nextThread = 0;
  let nextSnapshot = 0;
  let openSnapshots = 0;
  let isClosed = false;

  function startThread(): number {
    const number = nextThread++;
    const forget = () => {
      threads.delete(number);
      idle.delete(number);
      for (const { reject } of waiting.remove(({ thread }) => thread === number)) reject(unavailable());
      runWaiting();
    };
    threads.set(number, startReadThread({ file }, forget));
    return number;
  }

  function runWaiting(): void {
    for (const number of idle) {
      const queued = waiting.take(number);
      if (queued !== undefined) start(queued, number);
    }
    while (!isClosed && idle.size === 0 && threads.size < size) {
      const queued = waiting.take(nextThread);
      if (queued === undefined) return;
      start(queued, startThread());
    }
  }

  function start(queued: QueuedJob, number: number): void {
    idle.delete(number);
    const task = run(queued, number).finally(() => {
      running.delete(task);
      waiting.end(queued);
      if (threads.has(number)) idle.add(number);
      runWaiting();
    });
    running.add(task);
  }

  async function run({ job, resolve, reject }: QueuedJob, thread: number): Promise<void> {
    const startMs = performance.now();
    try {
      const value = await threads.get(thread)?.run(job);
      resolve({ value, thread, ms: performance.now() - startMs });
    } catch (error) {
      reject(error);
    }
  }

  function queue(owner: AccountJob, job: ThreadJob): Promise<RanJob> {
    const isLost = owner.thread !== undefined && !threads.has(owner.thread);
    if (isClosed || isLost) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      waiting.add({ ...owner, job, resolve, reject });
      runWaiting();
    });
  }

  async function queryRows<Row>(owner: AccountJob, job: ThreadJob & { kind: 'rows' }): Promise<Row[]> {
    const { value, ms } = await queue(owner, job);
    const rows = value as Row[];
    observe({ text: job.text, ms, rows: rows.length });
    return rows;
  }

  async function openSnapshot(accountId: string): Promise<Snapshot> {
    if (openSnapshots >= maxSnapshots) throw unavailable('Too many lists are being read in one response.');
    const snapshot = nextSnapshot++;
    openSnapshots += 1;
    const release = () => {
      openSnapshots -= 1;
    };
    const { thread } = await queue({ accountId }, { kind: 'open', snapshot }).catch((error: unknown) => {
      release();
      throw error;
    });
    let closing: Promise<void> | undefined;
    const close = async () => {
      release();
      // Its connection is closed with its thread at the latest.
      await queue({ accountId, thread }, { kind: 'close', snapshot }).catch(() => {});
    };
    const runner: Reader = {
      run: (text, values) => queryRows({ accountId, thread }, { kind: 'rows', text, values, snapshot }),
    };
    return {
      ...runner,
      readPage: createPageReader(() => runner, longPages),
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  }

  const toReader = (accountId: string): Reader => ({
    run: (text, values) => queryRows({ accountId }, { kind: 'rows', text, values }),
  });

  return {
    readPage: createPageReader(toReader, longPages),
    toReader,
    openSnapshot,
    async close() {
      isClosed = true;
      for (const { reject } of waiting.remove(() => true)) reject(unavailable());
      await Promise.all(running);
      await Promise.all([...threads.values()].map((thread) => thread.end()));
    },
  };
}

function unavailable(message = 'The database is being closed.'): SalonError {
  return new SalonError('service_unavailable', message, { retryable: true, retryAfterMs });
}
