import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { SalonError } from '../../contract/errors.ts';
import { toListenError } from '../http/port.ts';
import { type ListenAddress, type MetricsServer, openClusterMetrics } from '../monitoring/metrics.ts';

interface PrimaryOptions {
  /** How many processes serve requests. */
  readonly count: number;
  /** Where to serve the metrics of all workers. */
  readonly metricsAddress?: ListenAddress | undefined;
  /** Takes lines of the log, as JSON. */
  readonly log: { write(line: string): unknown };
  now(): Date;
}

/** A worker has said why on standard error. */
export class FailedStart extends Error {
  readonly exitCode: number;
  constructor(exitCode: number) {
    super('A worker did not start.');
    this.exitCode = exitCode;
  }
}

/** A migration of a large database takes its time. */
const startTimeoutMs = 600_000;
/** Longer than a worker takes to drain and to close. */
const endTimeoutMs = 60_000;
const minPauseMs = 500;
const maxPauseMs = 30_000;
/** One that ended sooner did not end by chance. */
const stableMs = 60_000;

/**
 * Starts workers: processes that run the same command as this one, and share its port. The first starts alone, because
 * it may have to migrate the database. Throws `FailedStart`, and leaves none running then.
 */
export async function openPrimary({ count, metricsAddress, log, now }: PrimaryOptions) {
  // Each worker accepts connections itself. One that this process passed to a worker killed meanwhile would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const workers = new Set<Worker>();
  let isClosing = false;
  let restarting: Promise<void> | undefined;
  let pauseMs = minPauseMs;
  const pauses = new Set<NodeJS.Timeout>();

  const report = (msg: string, level: 30 | 40 | 50, fields: object = {}) =>
    log.write(`${JSON.stringify({ level, time: now().getTime(), ...fields, msg })}\n`);

  /** Starts a worker and waits until it accepts requests. */
  async function start(): Promise<{ worker: Worker; origin: string }> {
    const worker = cluster.fork();
    const startedMs = performance.now();
    workers.add(worker);
    const origin = await waitUntilReady(worker).catch((error: unknown) => {
      workers.delete(worker);
      throw error;
    });
    worker.once('exit', (code, signal) => {
      const isLost = workers.delete(worker) && !isClosing;
      if (!isLost) return;
      report('worker lost', 50, { worker: worker.process.pid, code, signal });
      replaceLater(performance.now() - startedMs);
    });
    report('worker started', 30, { worker: worker.process.pid });
    return { worker, origin };
  }

  /** Pauses longer each time, because the cause may last: a full disk, a database that is down. */
  function replaceLater(livedMs: number): void {
    pauseMs = livedMs > stableMs ? minPauseMs : Math.min(pauseMs * 2, maxPauseMs);
    const pause = setTimeout(() => {
      pauses.delete(pause);
      const begunMs = performance.now();
      start().catch((error: unknown) => {
        if (isClosing) return;
        report('worker did not start', 50, { code: error instanceof FailedStart ? error.exitCode : null });
        replaceLater(performance.now() - begunMs);
      });
    }, pauseMs);
    pauses.add(pause);
  }

  async function replaceAll(): Promise<void> {
    report('restarting workers', 30, { workers: workers.size });
    for (const old of [...workers]) {
      if (isClosing || !workers.has(old)) continue;
      try {
        await start();
      } catch (error) {
        if (!isClosing) {
          const code = error instanceof FailedStart ? error.exitCode : null;
          report('restart stopped: a new worker did not start; the old ones go on', 50, { code });
        }
        return;
      }
      await end(old, 'drain');
      report('worker replaced', 30, { worker: old.process.pid });
    }
    report('workers restarted', 30, { workers: workers.size });
  }

  /** Orders a worker to end and waits for it. */
  async function end(worker: Worker, salon: OrderMessage['salon']): Promise<void> {
    workers.delete(worker);
    if (worker.isDead()) return;
    const exited = once(worker, 'exit');
    const deadline = setTimeout(() => worker.process.kill('SIGKILL'), endTimeoutMs);
    // The channel of a worker that is already ending may be closed.
    if (worker.isConnected()) worker.send({ salon } satisfies OrderMessage, undefined, () => {});
    await exited;
    clearTimeout(deadline);
  }

  /** Stops all workers gracefully. */
  async function close(): Promise<void> {
    isClosing = true;
    for (const pause of pauses) clearTimeout(pause);
    await Promise.all([...workers].map((worker) => end(worker, 'stop')));
    await Promise.all([restarting, metrics?.close()]);
  }

  let metrics: MetricsServer | undefined;
  try {
    if (metricsAddress !== undefined) {
      metrics = await openClusterMetrics(metricsAddress).catch((error: unknown) => {
        throw toListenError(error, metricsAddress);
      });
    }
    const { origin } = await start();
    await Promise.all(Array.from({ length: count - 1 }, start));
    return {
      /** The URL that the workers listen on. */
      origin,
      /**
       * Replaces the workers one after the other, each once its successor accepts requests. If a successor does not
       * start, the others keep running. A second call while one is running does nothing.
       */
      restart() {
        restarting ??= replaceAll().finally(() => {
          restarting = undefined;
        });
        return restarting;
      },
      /** Passes a signal on to all workers. */
      signal(name: NodeJS.Signals) {
        for (const worker of workers) worker.process.kill(name);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Resolves with the address of a worker. Throws `FailedStart` if it ends, and ends it if it takes too long. */
function waitUntilReady(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => {
      worker.process.kill('SIGKILL');
      reject(new SalonError('timeout', 'A worker did not start in time.'));
    }, startTimeoutMs);
    const onExit = (code: number | null) => {
      clearTimeout(timeout);
      reject(new FailedStart(code ?? 1));
    };
    worker.once('exit', onExit);
    worker.on('message', (message: unknown) => {
      if (!isReady(message)) return;
      clearTimeout(timeout);
      worker.off('exit', onExit);
      resolve(message.origin);
    });
  });
}

/** Undefined in a process that no primary process has started. */
export function joinPrimary() {
  const { worker } = cluster;
  if (worker === undefined) return undefined;
  const ordered = new Promise<OrderMessage['salon']>((resolve) => {
    worker.on('message', (message: unknown) => {
      if (isOrder(message)) resolve(message.salon);
    });
  });
  return {
    /** Notifies the primary process that the service accepts requests. */
    announce: (origin: string) => void worker.send({ salon: 'ready', origin } satisfies ReadyMessage),
    /** Resolves with the order to end. */
    ordered,
    // The channel would keep the process running.
    [Symbol.dispose]: () => void worker.disconnect(),
  };
}

/** What a worker sends to the primary process: it accepts requests at this address. */
export interface ReadyMessage {
  readonly salon: 'ready';
  readonly origin: string;
}

/**
 * What the primary process sends to a worker: `drain` ends it when its connections have had their last response, `stop` as
 * a signal does.
 */
export interface OrderMessage {
  readonly salon: 'drain' | 'stop';
}

/** Other messages on the channel are those of libraries. */
export function isReady(message: unknown): message is ReadyMessage {
  return isOurs(message) && message.salon === 'ready';
}

export function isOrder(message: unknown): message is OrderMessage {
  return isOurs(message) && (message.salon === 'drain' || message.salon === 'stop');
}

function isOurs(message: unknown): message is { readonly salon: unknown } {
  return typeof message === 'object' && message !== null && 'salon' in message;
}
