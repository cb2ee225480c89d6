import { createDeadline } from '../../src/client/deadline.ts';
import type { ClientEvent } from '../../src/client/events.ts';
import type { Ledger } from '../../src/client/rate-limit/ledger.ts';
import { createRateLimiter } from '../../src/client/rate-limit/rate-limiter.ts';
import type { EventClock } from './event-clock.ts';
import type { LimitedService } from './limited-service.ts';

export interface JobOptions {
  readonly clock: EventClock;
  readonly service: LimitedService;
  readonly ledger: Ledger;
  readonly workers: number;
  /** Requests to send; unlimited by default. */
  readonly requests?: number;
  /** A number from 0 to 1 for the latency of each direction. */
  readonly random: () => number;
}

/** Sends more requests than the limit allows, from concurrent workers in simulated time. */
export function startJob({ clock, service, ledger, workers, random, requests = Infinity }: JobOptions) {
  const events: ClientEvent[] = [];
  const patience = createDeadline({ clock, maxRetries: 10, maxWaitMs: 10 ** 9, deadlineMs: undefined });
  const turnstile = createRateLimiter({
    ledger,
    clock,
    deadline: patience,
    observe: (event) => events.push(event),
  });
  const stop = new AbortController();
  let left = requests;
  let atOnce = 0;
  let mostAtOnce = 0;
  const working = Promise.all(Array.from({ length: workers }, () => work().catch(() => {})));
  return {
    events,
    mostAtOnce: () => mostAtOnce,
    async stop() {
      stop.abort();
      await turnstile.close();
    },
    working,
  };

  async function work(): Promise<void> {
    while (left > 0) {
      left -= 1;
      await sendOne();
    }
  }

  async function sendOne(): Promise<void> {
    const passage = await turnstile.acquire(stop.signal);
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await clock.sleep(5 + random() * 200, undefined);
    const served = service.serve(clock.now());
    await clock.sleep(5 + random() * 200, undefined);
    atOnce -= 1;
    if (served.isRefused) passage.recordRefusal(served.retryAfterMs);
    else passage.recordResponse(served.limit);
    passage.release();
  }
}
