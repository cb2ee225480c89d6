import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { event } from '../../../src/contract/events.ts';
import {
  cancelAppointment,
  createAppointment,
  updateAppointment,
} from '../../../src/service/domain/appointments.ts';
import { addClient, deleteClient, updateClient } from '../../../src/service/domain/clients.ts';
import { createIdempotency } from '../../../src/service/domain/idempotency.ts';
import { createPayment, refundPayment } from '../../../src/service/domain/payments.ts';
import { seedAccount } from '../../../src/service/domain/sample/seed.ts';
import { createStylist } from '../../../src/service/domain/stylists.ts';
import { addWebhook, countEvents, readEvents } from '../../support/event-log.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

const validator = Compile(event);

/** A salon with a client, a stylist and an appointment of theirs, and a reader of their new events. */
async function openBusySalon() {
  const salon = await openTestSalon();
  await addWebhook(salon);
  const client_id = await salon.addClient({ first_name: 'Ada', email: 'ada@example.org' });
  const stylist_id = await salon.addStylist();
  const id = await salon.addAppointment({ client_id, stylist_id });
  const known = new Set((await readEvents(salon)).map((one) => one.id));
  const readNew = async () => (await readEvents(salon)).filter((one) => !known.has(one.id));
  return { salon, client_id, stylist_id, id, readNew };
}

type Busy = Awaited<ReturnType<typeof openBusySalon>>;
type Case = readonly [title: string, act: (busy: Busy) => Promise<unknown>, events: readonly object[]];

const booking = { service: 'Cut', start_time: '2026-12-02T09:00:00Z', duration: 30 };
const payment = { amount: 4500, currency: 'EUR', method: 'card' } as const;

const changes: readonly Case[] = [
  [
    'a booking',
    ({ salon, client_id, stylist_id }) =>
      createAppointment(salon.as(), { ...booking, client_id, stylist_id }),
    [{ type: 'booking.created', data: { object: { status: 'confirmed' } } }],
  ],
  [
    'a move',
    ({ salon, id }) => updateAppointment(salon.as(), id, { change: { start_time: booking.start_time } }),
    [
      {
        type: 'booking.rescheduled',
        data: {
          object: { start_time: booking.start_time },
          previous_attributes: { start_time: '2026-12-01T09:00:00Z' },
        },
      },
    ],
  ],
  [
    'a note',
    ({ salon, id }) => updateAppointment(salon.as(), id, { change: { notes: 'x' } }),
    [{ type: 'booking.updated', data: { previous_attributes: { notes: null } } }],
  ],
  [
    'an arrival with a note',
    ({ salon, id }) =>
      updateAppointment(salon.as(), id, { change: { notes: 'x', status: 'arrived', allow_early: true } }),
    [{ type: 'booking.arrived', data: { previous_attributes: { notes: null, status: 'confirmed' } } }],
  ],
  [
    'a cancellation',
    ({ salon, id }) => cancelAppointment(salon.as(), id, { reason: 'ill' }),
    [
      {
        type: 'booking.cancelled',
        data: { previous_attributes: { cancellation_reason: null, status: 'confirmed' } },
      },
    ],
  ],
  [
    'a cancellation of what is cancelled',
    async ({ salon, id }) => {
      await cancelAppointment(salon.as(), id, {});
      await cancelAppointment(salon.as(), id, {});
    },
    [{ type: 'booking.cancelled' }],
  ],
  [
    'a change to what is',
    ({ salon, id }) => updateAppointment(salon.as(), id, { change: { duration: 60 } }),
    [],
  ],
  [
    'a new client',
    ({ salon }) => addClient(salon.as(), { first_name: 'Bo' }),
    [{ type: 'client.created', data: { resource: 'client', object: { first_name: 'Bo' } } }],
  ],
  [
    'a change of a client',
    ({ salon, client_id }) =>
      updateClient(salon.as(), client_id, { change: { tags: ['vip'], first_name: 'Ada' } }),
    [{ type: 'client.updated', data: { object: { tags: ['vip'] }, previous_attributes: { tags: [] } } }],
  ],
  [
    'a change of a client to what is',
    ({ salon, client_id }) => updateClient(salon.as(), client_id, { change: { first_name: 'Ada' } }),
    [],
  ],
  [
    'a forced removal of a client',
    ({ salon, client_id }) => deleteClient(salon.as(), client_id, { force: true }),
    [
      { type: 'booking.cancelled', data: { object: { cancellation_reason: 'client removed' } } },
      { type: 'client.deleted', data: { resource: 'client', object: { deleted: true } } },
    ],
  ],
  [
    'a payment and its refund',
    async ({ salon, id }) => {
      const made = await createPayment(salon.as(), { ...payment, appointment_id: id });
      await refundPayment(salon.as(), made.id, { amount: 500 });
    },
    [
      { type: 'payment.completed', data: { resource: 'payment' } },
      { type: 'payment.refunded', data: { previous_attributes: { refunded_amount: 0 } } },
    ],
  ],
  ['a new stylist', ({ salon }) => createStylist(salon.as(), { first_name: 'Mia' }), []],
];

describe('events', () => {
  it.each(changes)('of %s', async (_title, act, events) => {
    const busy = await openBusySalon();
    await using salon = busy.salon;
    salon.environment.setTime('2026-11-21T13:00:00.000Z');
    await act(busy);
    const recorded = await busy.readNew();
    expect(recorded).toMatchObject(events);
    expect(recorded).toHaveLength(events.length);
    for (const one of recorded) {
      expect(validator.Errors(one)[1]).toEqual([]);
      expect(one).toMatchObject({ timestamp: '2026-11-21T13:00:00.000Z', api_version: 'v1.0' });
    }
  });

  it('have no previous updated_at', async () => {
    const { salon: opened, id, readNew } = await openBusySalon();
    await using salon = opened;
    await updateAppointment(salon.as(), id, { change: { notes: 'x' } });
    const [event] = await readNew();
    expect(event?.data).toMatchObject({ previous_attributes: { notes: null } });
    expect(Object.keys(Object(event?.data)['previous_attributes'])).toEqual(['notes']);
  });

  it('of a deleted client have only the ID', async () => {
    await using salon = await openTestSalon();
    await addWebhook(salon);
    const id = await salon.addClient({ first_name: 'Ada' });
    await deleteClient(salon.as(), id, { force: false });
    const recorded = await readEvents(salon);
    expect(recorded.map(({ data }) => data.object)).toEqual([{ id, deleted: true }]);
  });

  it('are not written for a refused change', async () => {
    const { salon: opened, id, client_id, stylist_id, readNew } = await openBusySalon();
    await using salon = opened;
    const again = { ...booking, client_id, stylist_id, start_time: '2026-12-01T09:30:00Z' };
    await expect(createAppointment(salon.as(), again)).rejects.toMatchObject({
      code: 'appointment_conflict',
    });
    const early = updateAppointment(salon.as(), id, { change: { status: 'no_show' } });
    await expect(early).rejects.toMatchObject({ code: 'appointment_not_started' });
    await expect(deleteClient(salon.as(), client_id, { force: false })).rejects.toThrow();
    expect(await readNew()).toEqual([]);
  });

  it('are rolled back with their transaction', async () => {
    await using salon = await openTestSalon();
    const { database } = salon.store;
    const failing: TestSalon['store']['database'] = {
      ...database,
      transaction: (lock, body) =>
        database.transaction(lock, async (tx) => {
          await body(tx);
          throw new Error('the disk is full');
        }),
    };
    await expect(addClient(salon.as({ database: failing }), { first_name: 'Ada' })).rejects.toThrow();
    expect(await countEvents(database)).toBe(0);
  });

  it('are written once for repeated requests with one idempotency key', async () => {
    await using salon = await openTestSalon();
    await addWebhook(salon);
    const runOnce = createIdempotency();
    const request = { key: 'k', digest: 'r' };
    for (let time = 0; time < 3; time++) {
      await runOnce(salon.as(), request, (context) => addClient(context, { first_name: 'Ada' }));
    }
    expect(await readEvents(salon)).toMatchObject([{ type: 'client.created' }]);
  });

  it('are not written for sample records', async () => {
    await using salon = await openTestSalon();
    const { database } = salon.store;
    const { accountId, environment } = salon;
    const today = environment.now();
    await addWebhook(salon);
    await seedAccount({ database, environment }, { accountId, clients: 5, appointments: 20, seed: 1, today });
    expect(await countEvents(database)).toBe(0);
  });
});

describe('a webhook receives', () => {
  it.each([
    [['*'], ['client.created', 'booking.created', 'client.updated']],
    [['client.*'], ['client.created', 'client.updated']],
    [['booking.created', 'booking.*'], ['booking.created']],
    [['booking.cancelled'], []],
  ] as const)('of %o: %o', async (events, types) => {
    await using salon = await openTestSalon();
    const webhook_id = await addWebhook(salon, { events: [...events] });
    const client_id = await salon.addClient();
    await salon.addAppointment({ client_id });
    await updateClient(salon.as(), client_id, { change: { notes: 'x' } });
    const text = 'select * from deliveries order by event_seq';
    const rows = await salon.store.database.reader.run<{ type: string }>(text, []);
    expect(rows.map(({ type }) => type)).toEqual(types);
    const now = salon.environment.now().getTime();
    for (const row of rows) {
      expect(row).toMatchObject({ webhook_id, status: 'pending', attempts: 0, next_ms: now });
    }
  });

  it('nothing while it is disabled or belongs to another account', async () => {
    await using salon = await openTestSalon();
    const neighbour = await salon.openNeighbour();
    await addWebhook(salon, { active: false });
    await addWebhook(neighbour);
    await salon.addClient();
    expect(await salon.store.database.reader.run('select * from deliveries', [])).toEqual([]);
  });
});
