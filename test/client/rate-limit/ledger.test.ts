import { expect, it } from 'vitest';
import { createMemoryLedger } from '../../../src/client/rate-limit/ledger.ts';
import { emptyObservation } from '../../../src/client/rate-limit/limit-observation.ts';

const minuteMs = 60_000;
const nothing = { ended: 0, pending: 0, observation: emptyObservation };

it.each([
  ['an hour', { perHour: 8 }, 60 * minuteMs],
  ['two minutes', { perHour: undefined, declared: '8/2m' }, 2 * minuteMs],
])('requests count for %s after the minute in which they were sent', async (_what, limits, windowMs) => {
  const sentMs = Date.UTC(2026, 0, 1, 9, 0, 59);
  let nowMs = sentMs;
  const ledger = createMemoryLedger({ now: () => nowMs, ...limits });
  await ledger.take({ ...nothing, ended: 8 });
  nowMs = sentMs + windowMs - 1;
  expect(await ledger.take(nothing)).toMatchObject({ count: 0, retryAtMs: sentMs + windowMs + 1_000 });
  nowMs = sentMs + windowMs + 1_000;
  expect((await ledger.take(nothing)).count).toBe(1);
});
