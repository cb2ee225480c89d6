import { describe, expect, it } from 'vitest';
import { watchDelivery } from '../../../src/cli/commands/webhooks/test.ts';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openClient } from '../../support/open-client.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';

const sent: Delivery = {
  id: 'dlv_b',
  webhook_id: 'whk_1',
  event_id: 'evt_1',
  event_type: 'webhook.test',
  status: 'pending',
  next_attempt_at: '2026-11-21T12:00:00Z',
  attempts: [],
  event: null,
  created_at: '2026-11-21T12:00:00Z',
  updated_at: '2026-11-21T12:00:00Z',
};
const attempt = {
  number: 1,
  at: '2026-11-21T12:00:00Z',
  status_code: 500,
  error: null,
  duration_ms: 3,
  response: null,
};

/** A service whose log has each of these in turn, and the last one from then on. */
async function watch(log: readonly (readonly Delivery[])[], clock: TestClock, timeoutMs: number) {
  await using server = await openMisbehavingServer((_, index) => {
    const data = log[Math.min(index, log.length - 1)] ?? [];
    return json({ data, pagination: { page: 1, per_page: 200, total: data.length } });
  });
  await using client = openClient(server.origin);
  const { webhooks } = client;
  const found = await watchDelivery(sent, {
    webhooks,
    webhookId: 'whk_1',
    clock,
    timeoutMs: timeoutMs,
    signal: new AbortController().signal,
  });
  return { found, asked: server.received };
}

describe('a polled delivery', () => {
  it.each([
    { name: 'it was tried in vain', tried: { ...sent, attempts: [attempt] } },
    { name: 'it was delivered', tried: { ...sent, status: 'delivered' as const } },
    { name: 'it was given up', tried: { ...sent, status: 'failed' as const } },
  ])('is polled with growing pauses until $name', async ({ tried }) => {
    const clock = createTestClock();
    const other = { ...tried, id: 'dlv_a' };
    const { found, asked } = await watch([[other], [other, sent], [other, tried]], clock, 60_000);
    expect(found).toEqual(tried);
    expect(clock.waits).toEqual([250, 375, 562.5]);
    expect(asked.map(({ query }) => query.get('created_from'))).toEqual(Array(3).fill(sent.created_at));
  });

  it('stops at the time limit, to the millisecond', async () => {
    const clock = createTestClock();
    const { found } = await watch([[sent]], clock, 20_000);
    expect(found).toBeUndefined();
    expect(clock.waits.reduce((sum, ms) => sum + ms)).toBe(20_000);
    expect(Math.max(...clock.waits)).toBeLessThanOrEqual(5_000);
  });

  it('is not polled if it has an attempt already', async () => {
    await using server = await openMisbehavingServer(() => json({}));
    await using client = openClient(server.origin);
    const tried = { ...sent, attempts: [attempt] };
    const clock = createTestClock();
    const watched = { webhooks: client.webhooks, webhookId: 'whk_1', clock, timeoutMs: 0 };
    expect(await watchDelivery(tried, { ...watched, signal: AbortSignal.abort() })).toBe(tried);
    expect(server.received).toEqual([]);
  });

  it('stops after an interrupt', async () => {
    await using client = openClient('http://127.0.0.1:9');
    const watched = { webhooks: client.webhooks, webhookId: 'whk_1', clock: createTestClock() };
    const signal = AbortSignal.abort('SIGINT');
    await expect(watchDelivery(sent, { ...watched, timeoutMs: 1, signal })).rejects.toBe('SIGINT');
  });
});
