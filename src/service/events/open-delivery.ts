import { deliveriesKeptDays } from '../../contract/delivery.ts';
import { dayMs } from '../domain/instants.ts';
import { dropOldDeliveries } from '../store/webhooks/drop-deliveries.ts';
import { createDeliverer, type DelivererParts } from './deliverer.ts';

/** How often somebody looks whether anything was committed or has fallen due. Mostly a look at one number. */
const lookEveryMs = 250;
/** A command on an embedded salon is mostly over by then, and waits for nobody's receiver. */
const firstLookMs = 1000;
/** How often what is too old is looked for. */
const dropEveryMs = 60_000;

/** What delivers in the background. */
export interface Delivery {
  /** Waits a little for what is under way, and gives the rest back. */
  close(): Promise<void>;
}

/**
 * Delivers in the background until it is closed: what was committed by whatever process, and what falls due.
 * Keeps no process alive, and does nothing in one that is over within a moment; whoever opens the database next
 * finds what is left.
 */
export function openDelivery(parts: DelivererParts): Delivery {
  const { database, outside, log } = parts;
  const deliverer = createDeliverer(parts);
  const nowMs = () => outside.now().getTime();
  let seenMark: number | undefined;
  let nextMs: number | undefined;
  let dropAtMs = nowMs() + dropEveryMs;
  let looking: Promise<void> | undefined;
  let timer = waitToLook(firstLookMs);

  function waitToLook(afterMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      looking = look()
        .catch((error: unknown) => log.error({ err: error }, 'deliveries not looked at'))
        .then(() => {
          timer = waitToLook(lookEveryMs);
        });
    }, afterMs).unref();
  }

  async function look(): Promise<void> {
    const mark = database.readMark();
    if (mark !== seenMark || (nextMs !== undefined && nextMs <= nowMs())) {
      nextMs = await deliverer.begin();
      seenMark = mark;
    }
    if (dropAtMs <= nowMs()) {
      const hasMore = await dropOldDeliveries(database, nowMs() - deliveriesKeptDays * dayMs);
      if (!hasMore) dropAtMs = nowMs() + dropEveryMs;
    }
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
