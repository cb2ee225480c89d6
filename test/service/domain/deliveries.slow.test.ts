import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { delivery, type LoggedDelivery } from '../../../src/contract/delivery.ts';
import { endpoints, type QueryOf } from '../../../src/contract/endpoints.ts';
import { deleteClient } from '../../../src/service/domain/clients.ts';
import { listAllDeliveries, testWebhook } from '../../../src/service/domain/deliveries.ts';
import { deleteWebhook, updateWebhook } from '../../../src/service/domain/webhooks.ts';
import { openSalonWithLog, readLog, settle } from '../../support/delivery-log.ts';
import { addWebhook } from '../../support/event-log.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

const validator = Compile(delivery);
const loggedValidator = Compile(endpoints.listAllDeliveries.success.body.properties.data.items);

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

describe('the log of all webhooks', () => {
  /** Two webhooks, one of them for bookings alone, and a change of each kind. */
  async function openSalonWithWebhooks() {
    const salon = await openTestSalon();
    const client_id = await salon.addClient({ first_name: 'Early' });
    const every = await addWebhook(salon);
    const bookings = await addWebhook(salon, { events: ['booking.*'] });
    await salon.addAppointment({ client_id });
    await updateWebhook(salon.as(), every, { change: { active: false } });
    await salon.addClient({ first_name: 'Late' });
    return { salon, every, bookings };
  }

  async function readAll(salon: TestSalon, query: QueryOf<'listAllDeliveries'> = {}) {
    const { dataJson, ...page } = await listAllDeliveries(salon.as(), query);
    const data: LoggedDelivery[] = JSON.parse(dataJson.toString());
    for (const one of data) expect(loggedValidator.Errors(one)[1]).toEqual([]);
    return { ...page, data };
  }

  it('has the deliveries of every webhook in the order of events, page by page', async () => {
    const { salon: opened, every, bookings } = await openSalonWithWebhooks();
    await using salon = opened;
    for (const _ of [1, 2]) await testWebhook(salon.as(), bookings);
    const whole = await readAll(salon);
    expect(whole).toMatchObject({ total: 4, next: null });
    expect(whole.data.map(({ webhook_id }) => webhook_id).toSorted()).toEqual(
      [every, bookings, bookings, bookings].toSorted(),
    );
    const paged: LoggedDelivery[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const page = await readAll(salon, { per_page: 1, ...(after && { after }) });
      expect(page.total).toBe(4);
      paged.push(...page.data);
      after = page.next;
    }
    expect(paged).toEqual(whole.data);
    const types = (query: QueryOf<'listAllDeliveries'>) =>
      readAll(salon, query).then(({ data }) => data.map(({ event_type }) => event_type));
    expect(await types({ event_type: 'webhook.test' })).toEqual(['webhook.test', 'webhook.test']);
    expect(await types({ status: 'failed' })).toEqual(['booking.created']);
    expect(await types({ created_from: '2026-11-22' })).toEqual([]);
  });

  it('lists events that no webhook was subscribed to, apart from those that were not sent', async () => {
    const { salon: opened } = await openSalonWithWebhooks();
    await using salon = opened;
    const { data, total } = await readAll(salon, { status: 'no_webhook' });
    expect(total).toBe(2);
    expect(data).toMatchObject([
      { event_type: 'client.created', webhook_id: null, status: 'no_webhook', attempts: [], event: null },
      { event_type: 'client.created', next_attempt_at: null },
    ]);
    expect(data.map(({ id }) => id)).toEqual(data.map(({ event_id }) => event_id));
    const first = await readAll(salon, { status: 'no_webhook', per_page: 1 });
    const second = await readAll(salon, { status: 'no_webhook', per_page: 1, after: String(first.next) });
    expect([...first.data, ...second.data]).toEqual(data);
    const pending = await readAll(salon, { status: 'pending' });
    expect(pending.data).toMatchObject([{ event_type: 'booking.created', attempts: [] }]);
  });

  it('claims of no event that was subscribed to that it was not', async () => {
    const { salon: opened, every, bookings } = await openSalonWithWebhooks();
    await using salon = opened;
    await updateWebhook(salon.as(), every, { change: { active: true } });
    const client_id = await salon.addClient({ first_name: 'Erased' });
    await deleteClient(salon.as(), client_id, { force: false, ifMatch: undefined });
    await deleteWebhook(salon.as(), every);
    await deleteWebhook(salon.as(), bookings);
    expect(await readAll(salon, { status: 'no_webhook' })).toMatchObject({ total: 2 });
    expect(await readAll(salon)).toMatchObject({ data: [{ webhook_id: every, status: 'failed' }, {}] });
  });

  it('has nothing of another account', async () => {
    const { salon: opened } = await openSalonWithWebhooks();
    await using salon = opened;
    const other = await salon.openNeighbour();
    expect(await readAll(other)).toMatchObject({ total: 0 });
    expect(await readAll(other, { status: 'no_webhook' })).toMatchObject({ total: 0 });
  });
});
