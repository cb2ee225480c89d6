import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/service/db/database.ts';
import { body, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openWebhookSalon, type WebhookSalon } from '../../support/webhook-salon.ts';

/** A database with a hook before each transaction. */
function withHook({ database }: WebhookSalon, beforeTransaction: () => void): Database {
  return {
    ...database,
    transaction: async (lock, act) => {
      beforeTransaction();
      return database.transaction(lock, act);
    },
  };
}

describe('a delivery worker with a failing database', () => {
  it('records attempts when the database recovers, and starts none before', async () => {
    await using salon = await openWebhookSalon();
    let refusals = 0;
    await using receiver = await openMisbehavingServer((_request, index) => {
      if (index === 0) refusals = 5;
      return body('');
    });
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 1);
    const startedMeanwhile: number[] = [];
    const database = withHook(salon, () => {
      if (refusals === 0) return;
      refusals -= 1;
      startedMeanwhile.push(receiver.received.length);
      throw new Error('database or disk is full');
    });
    const worker = salon.createWorker({ database });
    await worker.startDue();
    while (refusals === 0) await new Promise((resolve) => setImmediate(resolve));
    await salon.addEvents(id, 3);
    await worker.deliverAllDue();
    expect(startedMeanwhile).toEqual([1, 1, 1, 1, 1]);
    expect(receiver.received).toHaveLength(4);
    expect(await salon.readDeliveries(id)).toMatchObject(Array(4).fill({ status: 'delivered', attempts: 1 }));
  });

  it('starts a lease when it is granted, however long that takes', async () => {
    await using salon = await openWebhookSalon();
    const left: number[] = [];
    await using receiver = await openMisbehavingServer(() => async (response) => {
      const [delivery] = await salon.readDeliveries(id);
      left.push((delivery?.leased_until_ms ?? 0) - salon.clock.nowMs);
      response.writeHead(200).end();
    });
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 1);
    const database = withHook(salon, () => {
      salon.clock.nowMs += 20_000;
    });
    await salon.createWorker({ database }).deliverAllDue();
    expect(left).toEqual([20_000]);
  });
});
