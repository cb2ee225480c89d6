import { describe, expect, it } from 'vitest';
import { rescheduleDeliveries } from '../../../src/service/db/delivery-maintenance.ts';
import { openBackgroundDelivery } from '../../../src/service/webhooks/background-delivery.ts';
import { body, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openWebhookSalon, type WebhookSalon } from '../../support/webhook-salon.ts';

const hourMs = 3_600_000;

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
      tx.updateTable('deliveries').set(toMoments(before)).execute(),
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
    const delivery = openBackgroundDelivery({
      ...{ database: salon.database, allowsLoopback: true, resolve: async () => ['127.0.0.1'] },
      secrets: salon.secrets,
      environment: { now: () => new Date(salon.clock.nowMs), random: (size) => new Uint8Array(size) },
      log: { warn: () => {}, error: () => {} },
    });
    while (receiver.received.length < 1) await new Promise((resolve) => setImmediate(resolve));
    await salon.addEvents(id, 1);
    salon.clock.nowMs -= 24 * hourMs;
    while (receiver.received.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await delivery.close();
  });
});
