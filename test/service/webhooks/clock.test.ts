import { describe, expect, it } from 'vitest';
import { rescheduleDeliveries } from '../../../src/service/db/deliveries/delivery-maintenance.ts';
import { toInsert, toUpdate } from '../../../src/service/db/rows.ts';
import {
  createClockMonitor,
  openBackgroundDelivery,
} from '../../../src/service/webhooks/background-delivery.ts';
import { body, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openWebhookSalon, type WebhookSalon } from '../../support/webhook-salon.ts';

const hourMs = 3_600_000;

const dayMs = 24 * hourMs;

/** Delivers in the background on the clock of a salon. `advance` lets time pass for both clocks. */
function openDelivery(salon: WebhookSalon) {
  let monotonicMs = 0;
  const delivery = openBackgroundDelivery({
    ...{ database: salon.database, allowsLoopback: true, resolve: async () => ['127.0.0.1'] },
    secrets: salon.secrets,
    environment: { now: () => new Date(salon.clock.nowMs), random: (size) => new Uint8Array(size) },
    log: { warn: () => {}, error: () => {} },
    monotonicMs: () => monotonicMs,
  });
  const advance = (ms: number) => {
    monotonicMs += ms;
    salon.clock.nowMs += ms;
  };
  return { ...delivery, advance };
}

function bring({ database, clock }: WebhookSalon): Promise<void> {
  return rescheduleDeliveries(database, {
    nowMs: clock.nowMs,
    maxRetryDelayMs: 26 * hourMs,
    maxLeaseMs: 80_000,
  });
}

describe('a clock that was set back', () => {
  it.each([
    ['makes a delayed first attempt due', { attempts: 0, next_ms: 2 * hourMs }, { next_ms: 0 }],
    ['makes a retry delayed for years due', { attempts: 3, next_ms: 9000 * hourMs }, { next_ms: 0 }],
    [
      'keeps a retry that is due on schedule',
      { attempts: 3, next_ms: 20 * hourMs },
      { next_ms: 20 * hourMs },
    ],
    ['ends a lease of an hour', { leased_until_ms: hourMs }, { leased_until_ms: 0 }],
    ['keeps a new lease', { leased_until_ms: 20_000 }, { leased_until_ms: 20_000 }],
  ])('%s', async (_title, before, after) => {
    await using salon = await openWebhookSalon();
    const { id } = await salon.addWebhook('http://127.0.0.1:9');
    await salon.addEvents(id, 1);
    const { nowMs } = salon.clock;
    const toMoments = (fields: Readonly<Record<string, number | undefined>>) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, value = 0]) => [
          name,
          name === 'attempts' || (name === 'leased_until_ms' && value === 0) ? value : nowMs + value,
        ]),
      );
    await salon.database.transaction('service', (tx) =>
      tx.run(...toUpdate('deliveries', toMoments(before), { webhook_id: id })),
    );
    await bring(salon);
    expect(await salon.readDeliveries(id)).toMatchObject([toMoments(after)]);
  });

  it('delays no delivery, whether a service was running or not', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => body(''));
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 1);
    salon.clock.nowMs -= 24 * hourMs;
    const delivery = openDelivery(salon);
    while (receiver.received.length < 1) await new Promise((resolve) => setImmediate(resolve));
    await salon.addEvents(id, 1);
    salon.clock.nowMs -= 24 * hourMs;
    while (receiver.received.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await delivery.close();
  });
});

describe('a clock that jumps a month ahead', () => {
  it('deletes nothing, not even an hour after the start', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => body(''));
    const { id } = await salon.addWebhook(receiver.origin);
    const { id: silent } = await salon.addWebhook('http://127.0.0.1:9/');
    const delivered = await salon.addEvents(id, 3);
    const pending = await salon.addEvents(silent, 1);
    await salon.createWorker().deliverAllDue();
    const delivery = openDelivery(salon);
    delivery.advance(2 * hourMs);
    salon.clock.nowMs += 31 * dayMs;
    await salon.addEvents(id, 1);
    // The check that sends the event sees the jump.
    while (receiver.received.length < 4) await new Promise((resolve) => setImmediate(resolve));
    salon.clock.nowMs -= 31 * dayMs;
    await delivery.close();
    const rows = await salon.database.reader.run<{ id: string }>('select id from events order by seq', []);
    expect(rows.map((row) => row.id).slice(0, 4)).toEqual([...delivered, ...pending]);
    expect(await salon.readDeliveries(silent)).toMatchObject([{ status: 'pending' }]);
  });
});

describe('a process whose clock was wrong from its start', () => {
  /** The salon with a result of yesterday, and whether it is still there after a process ran for a moment. */
  async function keepsResult(salon: WebhookSalon, jumpMs: number, usedBeforeMs: number): Promise<boolean> {
    const { database, accountId, clock } = salon;
    const row = {
      account_id: accountId,
      key: 'k',
      request: 'r',
      record_id: null,
      client_id: null,
      answer: '{}',
    };
    await database.transaction('service', async (tx) => {
      await tx.run(...toInsert('idempotency_keys', [{ ...row, kept_ms: clock.nowMs }]));
      const text = `insert into audit_entries (account_id, seq, id, at_ms, action, resource, actor_type, hash)
        select ?, max(seq) + 1, 'aud_test', ?, 'client.updated', 'client', 'service', '' from audit_entries
        where account_id = ?`;
      await tx.run(text, [accountId, clock.nowMs + jumpMs - usedBeforeMs, accountId]);
    });
    clock.nowMs += jumpMs;
    await openDelivery(salon).close();
    return (await database.reader.run('select key from idempotency_keys', [])).length > 0;
  }

  it.each([
    ['keeps what it takes for expired', { jumpMs: 31 * dayMs, usedBeforeMs: 31 * dayMs }, true],
    ['keeps it, too, if another one has just used the salon', { jumpMs: 31 * dayMs, usedBeforeMs: 0 }, true],
    ['deletes it if the salon was used hours ago', { jumpMs: 2 * dayMs, usedBeforeMs: 3 * hourMs }, false],
    ['deletes it if the salon was used days ago', { jumpMs: 5 * dayMs, usedBeforeMs: 5 * dayMs }, false],
  ])('%s', async (_title, { jumpMs, usedBeforeMs }, expected) => {
    await using salon = await openWebhookSalon();
    expect(await keepsResult(salon, jumpMs, usedBeforeMs)).toBe(expected);
  });
});

describe('a clock monitor', () => {
  it.each([
    ['has just started', [], { isStable: false, hasJumped: false }],
    ['has run for an hour', [[hourMs, 0]], { isStable: true, hasJumped: false }],
    ['was adjusted by seconds', [[hourMs, 5000]], { isStable: true, hasJumped: false }],
    ['jumped a month ahead', [[hourMs, 31 * dayMs]], { isStable: false, hasJumped: true }],
    ['jumped back', [[hourMs, -dayMs]], { isStable: false, hasJumped: true }],
    [
      'jumped an hour ago',
      [
        [hourMs, dayMs],
        [hourMs, 0],
      ],
      { isStable: true, hasJumped: false },
    ],
  ] as const)('knows a clock that %s', (_title, steps, expected) => {
    const clocks = { wallMs: 0, monotonicMs: 0 };
    const monitor = createClockMonitor({
      now: () => new Date(clocks.wallMs),
      monotonicMs: () => clocks.monotonicMs,
    });
    for (const [passedMs, jumpMs] of steps) {
      clocks.monotonicMs += passedMs;
      clocks.wallMs += passedMs + jumpMs;
      monitor.observe();
    }
    expect({ isStable: monitor.isStable(), hasJumped: monitor.hasJumped() }).toEqual(expected);
  });
});
