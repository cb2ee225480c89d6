import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { delivery } from '../../../src/contract/delivery.ts';
import { testWebhook } from '../../../src/service/domain/deliveries.ts';
import { openSalonWithLog, readLog, settle } from '../../support/delivery-log.ts';
import { addWebhook } from '../../support/event-log.ts';
import { openTestSalon } from '../../support/salon.ts';

const validator = Compile(delivery);

describe('a test event', () => {
  it('goes only to its webhook, whatever its patterns', async () => {
    await using salon = await openTestSalon();
    const tested = await addWebhook(salon, { events: ['booking.cancelled'] });
    const other = await addWebhook(salon);
    const made = await testWebhook(salon.as(), tested);
    expect(validator.Errors(made)[1]).toEqual([]);
    expect(made).toMatchObject({
      ...{ webhook_id: tested, event_type: 'webhook.test', status: 'pending', attempts: [] },
      next_attempt_at: '2026-11-21T12:00:00.000Z',
      event: { type: 'webhook.test', data: { resource: 'webhook', object: { id: tested } } },
    });
    expect(made.event?.id).toBe(made.event_id);
    expect((await readLog(salon, tested)).data).toEqual([made]);
    expect(await readLog(salon, other)).toMatchObject({ data: [], total: 0 });
  });

  it('to a disabled webhook is refused', async () => {
    await using salon = await openTestSalon();
    const id = await addWebhook(salon, { active: false });
    await expect(testWebhook(salon.as(), id)).rejects.toMatchObject({
      code: 'validation_failed',
      violations: [{ code: 'inactive' }],
    });
    expect(await readLog(salon, id)).toMatchObject({ total: 0 });
  });
});

describe('the log', () => {
  it('has every attempt, oldest first', async () => {
    const { salon: opened, webhookId, ids } = await openSalonWithLog(['pending']);
    await using salon = opened;
    await settle(salon, String(ids[0]), { status: 'failed', attempts: 3 });
    const { data } = await readLog(salon, webhookId);
    expect(validator.Errors(data[0])[1]).toEqual([]);
    expect(data[0]?.attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(data[0]).toMatchObject({
      ...{ status: 'failed', next_attempt_at: null },
      attempts: [{ at: '1970-01-01T00:00:00.001Z', status_code: 500, duration_ms: 7 }, {}, {}],
    });
  });

  const statuses = ['failed', 'delivered', 'pending', 'failed', 'delivered'] as const;

  it.each([
    [{}, [0, 1, 2, 3, 4], 5],
    [{ status: 'failed' }, [0, 3], 2],
    [{ created_from: '2026-11-21T13:00:00Z' }, [1, 2, 3, 4], 4],
    [{ created_from: '2026-11-21T13:00:00Z', created_to: '2026-11-21T15:00:00Z' }, [1, 2], 2],
    [{ created_from: '2026-11-21', created_to: '2026-11-21', status: 'delivered' }, [1, 4], 2],
    [{ created_from: '2026-11-22' }, [], 0],
    [{ page: 2, per_page: 2 }, [2, 3], 5],
    [{ page: 4, per_page: 2 }, [], 5],
  ] as const)('with %o has the deliveries %o of %i', async (query, places, total) => {
    const { salon: opened, webhookId, ids } = await openSalonWithLog(statuses);
    await using salon = opened;
    const read = await readLog(salon, webhookId, query);
    expect(read.data.map(({ id }) => ids.indexOf(id))).toEqual(places);
    expect(read).toMatchObject({ total });
    expect(read).not.toHaveProperty('version');
  });

  it('is paginated by cursors, which follow its growth and belong to one log', async () => {
    const { salon: opened, webhookId, ids } = await openSalonWithLog(statuses);
    await using salon = opened;
    const paginated: string[] = [];
    let after: string | null | undefined;
    while (after !== null) {
      const page = await readLog(salon, webhookId, { per_page: 2, ...(after ? { after } : {}) });
      paginated.push(...page.data.map(({ id }) => id));
      if (paginated.length === 2) ids.push((await testWebhook(salon.as(), webhookId)).id);
      const foreign = { per_page: 2, status: 'failed', after: page.next ?? 'none' } as const;
      await expect(readLog(salon, webhookId, foreign)).rejects.toMatchObject({ code: 'invalid_parameter' });
      after = page.next;
    }
    expect(paginated).toEqual(ids);
  });

  it.each(['created_from', 'created_to'])('is refused when %s is not a time', async (parameter) => {
    await using salon = await openTestSalon();
    const id = await addWebhook(salon);
    await expect(readLog(salon, id, { [parameter]: 'yesterday' })).rejects.toMatchObject({
      code: 'invalid_parameter',
      violations: [{ parameter }],
    });
  });
});
