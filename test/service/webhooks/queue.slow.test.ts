import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/service/db/database.ts';
import { claimDeliveries, type DueDelivery } from '../../../src/service/db/deliveries/delivery-claims.ts';
import { releaseDeliveries } from '../../../src/service/db/deliveries/delivery-queue.ts';
import { body, hang, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { race, races } from '../../support/race.ts';
import { isLong } from '../../support/speed.ts';
import { openWebhookSalon, type WebhookSalon } from '../../support/webhook-salon.ts';

const leaseMs = 30_000;

/** Claims up to eight deliveries. */
async function claim(
  { database, clock, accountId }: Pick<WebhookSalon, 'database' | 'clock' | 'accountId'>,
  webhookId: string,
  most = 8,
) {
  const { nowMs } = clock;
  const request = {
    accountId,
    webhookId,
    nowMs,
    leasedUntilMs: nowMs + leaseMs,
    maxInFlight: 8,
    limit: most,
  };
  const claimed = await database.transaction('rows', (tx) => claimDeliveries(tx, database.kind, request));
  return claimed?.deliveries ?? [];
}

describe('a webhook with thousands of deliveries and an unresponsive receiver', () => {
  it('does not delay other webhooks', async () => {
    await using salon = await openWebhookSalon();
    await using dead = await openMisbehavingServer(() => hang);
    await using alive = await openMisbehavingServer(() => body(''));
    const { id: deadId } = await salon.addWebhook(dead.origin);
    await salon.addEvents(deadId, isLong ? 10_000 : 2000);
    for (let number = 0; number < 2; number++) {
      await salon.addEvents((await salon.addWebhook(alive.origin)).id, 20);
    }
    const worker = salon.createWorker({ graceMs: 0 });
    await worker.startDue();
    await expect.poll(() => alive.received.length).toBeGreaterThanOrEqual(40);
    expect(dead.received.length).toBeLessThanOrEqual(8);
    await worker.close();
    const touched = (await salon.readDeliveries(deadId)).filter(
      ({ leased_until_ms, attempts }) => leased_until_ms > 0 || attempts > 0,
    );
    expect(touched).toEqual([]);
  });

  it('attempts the delivery with the most attempts first', async () => {
    await using salon = await openWebhookSalon();
    const { id } = await salon.addWebhook('http://127.0.0.1:9');
    await salon.addEvents(id, 20);
    const [, , third, fourth] = await salon.readDeliveries(id);
    await setAttempts(salon.database, third?.event_seq, 2);
    await setAttempts(salon.database, fourth?.event_seq, 5);
    expect((await claim(salon, id, 2)).map(({ eventSeq }) => eventSeq)).toEqual([
      fourth?.event_seq,
      third?.event_seq,
    ]);
  });
});

describe('two processes on one database', () => {
  it('never both claim a delivery, nor exceed the limit of a webhook', async () => {
    await using salon = await openWebhookSalon();
    const other = { ...salon, database: await salon.openAgain() };
    for (let number = 0; number < races; number++) {
      const { id } = await salon.addWebhook('http://127.0.0.1:9');
      await salon.addEvents(id, 20);
      const claims: DueDelivery[] = [];
      const take = async (from: typeof other, most: number) => claims.push(...(await claim(from, id, most)));
      await race(
        number,
        () => Promise.all([take(salon, 5), take(salon, 8)]),
        () => Promise.all([take(other, 5), take(other, 8)]),
      );
      expect(claims.length).toBeGreaterThan(0);
      // One that finds another claiming leaves the rest to it.
      await take(other, 8);
      expect(claims).toHaveLength(8);
      expect(new Set(claims.map(({ eventSeq }) => eventSeq)).size).toBe(8);
    }
  });

  it('share the work, and deliver each event once', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => body(''));
    const sent: string[] = [];
    for (let number = 0; number < 3; number++) {
      sent.push(...(await salon.addEvents((await salon.addWebhook(receiver.origin)).id, 60)));
    }
    const other = await salon.openAgain();
    const workers = [salon.createWorker(), salon.createWorker({ database: other })];
    await Promise.all(workers.map((worker) => worker.deliverAllDue()));
    const arrived = receiver.received.map(({ headers }) => String(headers['webhook-id']));
    expect(arrived.toSorted()).toEqual(sent.toSorted());
  });

  it('take over unfinished deliveries after the lease expires', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => body(''));
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 3);
    // The claiming process dies here.
    expect(await claim(salon, id)).toHaveLength(3);
    const worker = salon.createWorker();
    salon.clock.nowMs += leaseMs - 1;
    await worker.deliverAllDue();
    expect(receiver.received).toHaveLength(0);
    salon.clock.nowMs += 1;
    await worker.deliverAllDue();
    expect(receiver.received).toHaveLength(3);
    expect(await salon.readDeliveries(id)).toMatchObject(Array(3).fill({ status: 'delivered', attempts: 1 }));
  });

  it('record nothing after losing the lease', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => (response) => {
      // The sender is suspended until its lease expires and another process claims the delivery.
      salon.clock.nowMs += leaseMs;
      void claim(salon, id).then(() => response.writeHead(200).end());
    });
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 1);
    await salon.createWorker().deliverAllDue();
    const [delivery] = await salon.readDeliveries(id);
    expect(delivery).toMatchObject({
      ...{ status: 'pending', attempts: 0, leased_until_ms: salon.clock.nowMs + leaseMs },
    });
    expect(await salon.readAttempts(delivery?.id ?? '')).toEqual([]);
  });

  it('log a delivery that cannot be sent, and continue with the others', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => body(''));
    const { id: broken } = await salon.addWebhook(receiver.origin, { change: { record: '{' } });
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(broken, 1);
    await salon.addEvents(id, 20);
    await salon.createWorker().deliverAllDue();
    expect(receiver.received).toHaveLength(20);
    expect(await salon.readDeliveries(broken)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    expect(salon.logged).toMatchObject([{ message: 'delivery not recorded' }]);
  });

  it('log a secret that cannot be read, and retry later', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => body(''));
    const { id: other } = await salon.addWebhook(receiver.origin);
    const secret = salon.secrets.seal('whsec_', `webhook_secret ${other}`);
    const { id } = await salon.addWebhook(receiver.origin, { change: { secret } });
    await salon.addEvents(id, 1);
    await salon.createWorker().deliverAllDue();
    expect(receiver.received).toHaveLength(0);
    const [delivery] = await salon.readDeliveries(id);
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1 });
    expect(await salon.readAttempts(delivery?.id ?? '')).toMatchObject([
      { status_code: null, error: 'The service cannot read the secret of the webhook.' },
    ]);
    expect(salon.logged).toMatchObject([{ message: 'webhook secret not readable', webhook: id }]);
  });

  it('release only deliveries that are still theirs', async () => {
    await using salon = await openWebhookSalon();
    const { id } = await salon.addWebhook('http://127.0.0.1:9');
    await salon.addEvents(id, 1);
    const lost = await claim(salon, id);
    salon.clock.nowMs += leaseMs;
    const held = await claim(salon, id);
    await salon.database.transaction('service', (tx) => releaseDeliveries(tx, lost));
    expect(await claim(salon, id)).toEqual([]);
    await salon.database.transaction('service', (tx) => releaseDeliveries(tx, held));
    expect(await claim(salon, id)).toHaveLength(1);
  });
});

async function setAttempts(database: Database, seq: number | undefined, attempts: number): Promise<void> {
  await database.transaction('service', (tx) =>
    tx.run('update deliveries set attempts = ? where event_seq = ?', [attempts, seq ?? 0]),
  );
}
