import { deliveriesKeptDays, deliverySchedule } from '../../contract/delivery.ts';
import { deleteOldDeliveries, rescheduleDeliveries } from '../db/delivery-maintenance.ts';
import { dayMs } from '../domain/validation.ts';
import { createDeliveryWorker, type DeliveryWorkerParts, leaseMs } from './delivery-worker.ts';

/** How often somebody looks whether anything was committed or has fallen due. Mostly a look at one number. */
const lookEveryMs = 250;
/** A database that takes nothing is asked less often, and the log stays readable. */
const lookAfterFailureMs = 5000;
/** A command on an embedded salon is mostly over by then, and waits for nobody's receiver. */
const firstLookMs = 1000;
/** How often what is too old is looked for. */
const dropEveryMs = 60_000;
/** A clock that goes back by less is set right, as clocks are all the time. */
const setBackMs = 60_000;
/** Until the last try at the most, and what chance adds. */
const mostPauseMs = 1.1 * Math.max(...deliverySchedule);

/** What delivers in the background. */
export interface BackgroundDelivery {
  /** Waits a little for what is under way, and gives the rest back. */
  close(): Promise<void>;
}

/**
 * Delivers in the background until it is closed: what was committed by whatever process, and what falls due.
 * Keeps no process alive, and does nothing in one that is over within a moment; whoever opens the database next
 * finds what is left.
 */
export function openBackgroundDelivery(parts: DeliveryWorkerParts): BackgroundDelivery {
  const { database, environment, log } = parts;
  const deliverer = createDeliveryWorker(parts);
  const nowMs = () => environment.now().getTime();
  let latestMs = Number.POSITIVE_INFINITY;
  let seenMark: number | undefined;
  let nextMs: number | undefined;
  let dropAtMs = nowMs() + dropEveryMs;
  let looking: Promise<void> | undefined;
  let timer = waitToLook(firstLookMs);

  function waitToLook(afterMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      looking = look()
        .then(
          () => lookEveryMs,
          (error: unknown) => {
            log.error({ err: error }, 'deliveries not looked at');
            return lookAfterFailureMs;
          },
        )
        .then((pauseMs) => {
          timer = waitToLook(pauseMs);
        });
    }, afterMs).unref();
  }

  async function look(): Promise<void> {
    await noticeSetBack();
    const mark = database.readDataVersion();
    if (mark !== seenMark || (nextMs !== undefined && nextMs <= nowMs())) {
      nextMs = await deliverer.begin();
      seenMark = mark;
    }
    if (dropAtMs <= nowMs()) {
      const hasMore = await deleteOldDeliveries(database, nowMs() - deliveriesKeptDays * dayMs);
      if (!hasMore) dropAtMs = nowMs() + dropEveryMs;
    }
  }

  /** Looked at in the beginning too: the clock may have been set back while nobody was here. */
  async function noticeSetBack(): Promise<void> {
    const presentMs = nowMs();
    if (presentMs < latestMs - setBackMs) {
      await rescheduleDeliveries(database, {
        nowMs: presentMs,
        maxRetryDelayMs: mostPauseMs,
        maxLeaseMs: leaseMs + setBackMs,
      });
      dropAtMs = presentMs;
    }
    latestMs = presentMs;
  }

  return {
    async close() {
      clearTimeout(timer);
      await looking;
      // A look that was under way has set it again.
      clearTimeout(timer);
      await deliverer.close();
    },
  };
}
