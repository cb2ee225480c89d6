import { deliverySchedule } from '../../contract/delivery.ts';
import { rescheduleDeliveries } from '../db/deliveries/delivery-maintenance.ts';
import { cleanUp, cleanUpBeforeClose } from '../domain/clean-up.ts';
import { createDeliveryWorker, type DeliveryWorkerOptions, leaseMs } from './delivery-worker.ts';

/** How often to check for commits and due deliveries. Most checks only read the database's data version. */
const checkIntervalMs = 250;
/** The interval after an error, so that a broken database does not flood the log. */
const checkAfterErrorMs = 5000;
/** Most commands on an embedded salon end before the first check and do not wait for receivers. */
const firstCheckMs = 1000;
const cleanupIntervalMs = 60_000;
/** Between two checks that the database asks for. */
const wakeIntervalMs = 50;
/** How often to look for due deliveries without any sign of them: a notification can be lost. */
const pollIntervalMs = 5000;
/** Smaller steps are normal clock adjustments. */
const clockToleranceMs = 60_000;
/** The longest time to the next attempt, including jitter. */
const maxRetryDelayMs = Math.ceil(1.1 * Math.max(...deliverySchedule));

/**
 * Delivers events in the background until it is closed, including those committed by other processes. Does not keep
 * the process alive; the next process that opens the database continues.
 */
export function openBackgroundDelivery(options: DeliveryWorkerOptions & Partial<Clocks>) {
  const { database, environment, log, monotonicMs = () => performance.now() } = options;
  const worker = createDeliveryWorker(options);
  const nowMs = () => environment.now().getTime();
  const clock = createClockMonitor({ now: environment.now, monotonicMs });
  let latestMs = Number.POSITIVE_INFINITY;
  let seenVersion: number | undefined;
  let nextMs: number | undefined;
  let isWoken = false;
  let polledMs = monotonicMs();
  let cleanupMs = nowMs() + cleanupIntervalMs;
  let checking: Promise<void> | undefined;
  let isWarned = false;
  let timer = scheduleCheck(firstCheckMs);

  function scheduleCheck(afterMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      checking = check()
        .then(
          () => (isWoken ? wakeIntervalMs : checkIntervalMs),
          (error: unknown) => {
            log.error({ err: error }, 'deliveries not checked');
            return checkAfterErrorMs;
          },
        )
        .then((delayMs) => {
          checking = undefined;
          timer = scheduleCheck(delayMs);
        });
    }, afterMs).unref();
  }

  const stopListening = database.listen('deliveries', () => {
    if (isWoken) return;
    isWoken = true;
    if (checking !== undefined) return;
    clearTimeout(timer);
    timer = scheduleCheck(wakeIntervalMs);
  });

  async function check(): Promise<void> {
    clock.observe();
    await detectClockSetBack();
    const version = database.readDataVersion();
    const isDue = nextMs !== undefined && nextMs <= nowMs();
    if (version !== seenVersion || isDue || isWoken || monotonicMs() - polledMs >= pollIntervalMs) {
      isWoken = false;
      polledMs = monotonicMs();
      nextMs = await worker.startDue();
      seenVersion = version;
    }
    if (cleanupMs <= nowMs()) {
      const isPruning = clock.isStable();
      const { hasMore, hasTraces } = await cleanUp(database, environment, { isPruning });
      if (!hasMore) cleanupMs = nowMs() + cleanupIntervalMs;
      if (hasTraces && !isWarned) {
        log.warn({}, 'traces of deleted clients are still in the database: run salon server compact');
        isWarned = true;
      }
    }
  }

  /** Reschedules deliveries if the clock was set back; at the first check always, for changes while no service ran. */
  async function detectClockSetBack(): Promise<void> {
    const currentMs = nowMs();
    if (currentMs < latestMs - clockToleranceMs) {
      const maxLeaseMs = leaseMs + clockToleranceMs;
      await rescheduleDeliveries(database, { nowMs: currentMs, maxRetryDelayMs, maxLeaseMs });
      cleanupMs = currentMs;
    }
    latestMs = currentMs;
  }

  return {
    /** Waits briefly for attempts in flight and releases the rest. */
    async close() {
      stopListening();
      clearTimeout(timer);
      await checking;
      // A check in progress has set it again.
      clearTimeout(timer);
      await worker.close();
      const unsure = clock.hasJumped() ? 'never' : 'if in regular use';
      const prunes = clock.isStable() ? 'always' : unsure;
      await cleanUpBeforeClose(database, environment, { prunes }).catch((error: unknown) => {
        log.error({ err: error }, 'old data not deleted');
      });
    },
  };
}

interface Clocks {
  now(): Date;
  /** Milliseconds since any moment, from a monotonic clock. */
  monotonicMs(): number;
}

const settlingMs = 3_600_000;

/** Creates a monitor for clocks that jump, ahead or back. A clock that is a month ahead would expire everything. */
export function createClockMonitor({ now, monotonicMs }: Clocks) {
  const readOffset = () => now().getTime() - monotonicMs();
  let offsetMs = readOffset();
  let stableSinceMs = monotonicMs();
  let jumpedMs = Number.NEGATIVE_INFINITY;

  return {
    /** To be called often: compares the clock with a monotonic one. */
    observe() {
      const currentMs = readOffset();
      if (Math.abs(currentMs - offsetMs) > clockToleranceMs) {
        jumpedMs = monotonicMs();
        stableSinceMs = jumpedMs;
      }
      offsetMs = currentMs;
    },
    /** Whether the clock has not jumped for an hour. False for the first hour: it may have been wrong at the start. */
    isStable: () => monotonicMs() - stableSinceMs >= settlingMs,
    /** Whether the clock has jumped in the last hour. */
    hasJumped: () => monotonicMs() - jumpedMs < settlingMs,
  };
}
