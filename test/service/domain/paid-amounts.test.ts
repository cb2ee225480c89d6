import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BodyOf, QueryOf } from '../../../src/contract/endpoints.ts';
import { type Payment, toPaidAmount } from '../../../src/contract/payment.ts';
import {
  getAppointment,
  listAppointments,
  updateAppointment,
} from '../../../src/service/domain/appointments.ts';
import { mergeClients, unmergeClients } from '../../../src/service/domain/client-merge.ts';
import { deleteClient } from '../../../src/service/domain/clients.ts';
import { createPayment, refundPayment, voidPayment } from '../../../src/service/domain/payments.ts';
import { createService, deleteService, updateService } from '../../../src/service/domain/salon-services.ts';
import { updateSalon } from '../../../src/service/domain/salon-settings.ts';
import { checkDatabase } from '../../../src/service/maintenance/check.ts';
import { openTestSalon, type TestSalon, testNow } from '../../support/salon.ts';

async function openPricedSalon(): Promise<TestSalon & { cutId: string }> {
  const salon = await openTestSalon();
  await updateSalon(salon.as(), { change: { currency: 'EUR' } });
  const { id: cutId } = await createService(salon.as(), { name: 'Cut', duration: 30, price: 4500 });
  return { ...salon, cutId };
}

const pay = (salon: TestSalon, body: Partial<BodyOf<'createPayment'>>) =>
  createPayment(salon.as(), { amount: 4500, currency: 'EUR', method: 'card', ...body });

async function list(salon: TestSalon, query: QueryOf<'listAppointments'>): Promise<string[]> {
  const { dataJson, total } = await listAppointments(salon.as(), query);
  const ids = JSON.parse(String(dataJson)).map(({ id }: { id: string }) => id);
  expect(total).toBe(ids.length);
  return ids;
}

async function findProblems(salon: TestSalon): Promise<string[]> {
  return (await checkDatabase(salon.store.location)).flatMap(({ problems }) => problems);
}

describe('the price of a new appointment', () => {
  it.each([
    ['that of its service, in any case and accents', { service: ' CÚT' }, 4500],
    ['null for a service that is not in the list', { service: 'Cut and colour' }, null],
    ['the one given', { service: 'Cut', price: 0 }, 0],
    ['null if that is given', { service: 'Cut', price: null }, null],
  ])('is %s', async (_what, body, price) => {
    await using salon = await openPricedSalon();
    const id = await salon.addAppointment(body);
    expect(await getAppointment(salon.as(), id)).toMatchObject({ price, paid_amount: 0 });
  });

  it('is null for a service that is inactive or deleted, and stays when the service changes', async () => {
    await using salon = await openPricedSalon();
    const before = await salon.addAppointment();
    await updateService(salon.as(), salon.cutId, { change: { active: false } });
    expect(await getAppointment(salon.as(), await salon.addAppointment())).toMatchObject({ price: null });
    await updateService(salon.as(), salon.cutId, { change: { active: true, price: 9900 } });
    expect(await getAppointment(salon.as(), await salon.addAppointment())).toMatchObject({ price: 9900 });
    await deleteService(salon.as(), salon.cutId);
    expect(await getAppointment(salon.as(), await salon.addAppointment())).toMatchObject({ price: null });
    expect(await getAppointment(salon.as(), before)).toMatchObject({ price: 4500, service: 'Cut' });
  });

  it('needs a currency, also when it changes', async () => {
    await using salon = await openTestSalon();
    const refused = { code: 'salon_settings_missing' };
    await expect(salon.addAppointment({ price: 1 })).rejects.toMatchObject(refused);
    const id = await salon.addAppointment();
    await expect(updateAppointment(salon.as(), id, { change: { price: 1 } })).rejects.toMatchObject(refused);
  });
});

describe('what is paid of an appointment', () => {
  it('follows its payments, raises its version, and writes no event', async () => {
    await using salon = await openPricedSalon();
    const id = await salon.addAppointment();
    const read = async () => {
      const { paid_amount, updated_at } = await getAppointment(salon.as(), id);
      const { version } = await listAppointments(salon.as(), {});
      return { paid_amount, updated_at, version };
    };
    const before = await read();
    const payment = await pay(salon, { appointment_id: id, amount: 4000, tip_amount: 500 });
    const paid = await read();
    expect(paid).toMatchObject({ paid_amount: 4000, version: before.version + 1 });
    expect(paid.updated_at > before.updated_at).toBe(true);
    await pay(salon, { appointment_id: id, status: 'pending' });
    expect(await read()).toEqual(paid);
    await refundPayment(salon.as(), payment.id, { amount: 500 });
    expect(await read()).toEqual(paid);
    await refundPayment(salon.as(), payment.id, { amount: 100 });
    expect(await read()).toMatchObject({ paid_amount: 3900 });
    const second = await pay(salon, { appointment_id: id, amount: 600 });
    expect(await read()).toMatchObject({ paid_amount: 4500 });
    await voidPayment(salon.as(), second.id);
    expect(await read()).toMatchObject({ paid_amount: 3900 });
    const text = "select type from events where type like 'booking.%' order by seq";
    expect(await salon.store.database.reader.run(text, [])).toEqual([{ type: 'booking.created' }]);
    expect(await findProblems(salon)).toEqual([]);
  });

  it('cannot be set, and stays after a merge, its reversal and an erasure', async () => {
    await using salon = await openPricedSalon();
    const [from, into] = [await salon.addClient(), await salon.addClient()];
    const id = await salon.addAppointment({ client_id: from, notes: 'Quiet' });
    await pay(salon, { appointment_id: id, amount: 4000, reference: 'T-1' });
    const isPaid = async () =>
      expect(await getAppointment(salon.as(), id)).toMatchObject({ price: 4500, paid_amount: 4000 });
    await updateAppointment(salon.as(), id, { change: { notes: 'Loud', paid_amount: 1 } as object });
    await isPaid();
    await mergeClients(salon.as(), into, { from });
    await isPaid();
    await unmergeClients(salon.as(), into, {});
    await isPaid();
    await deleteClient(salon.as(), from, { force: true });
    expect(await getAppointment(salon.as(), id)).toMatchObject({ notes: null });
    await isPaid();
    expect(await findProblems(salon)).toEqual([]);
  });

  it('is not known with a payment in another currency, until it is void', async () => {
    await using salon = await openPricedSalon();
    const id = await salon.addAppointment({ start_time: '2026-11-20T09:00:00Z', status: 'completed' });
    const dollars = await pay(salon, { appointment_id: id, currency: 'USD' });
    expect(await getAppointment(salon.as(), id)).toMatchObject({ paid_amount: null });
    expect([await list(salon, { payment: 'due' }), await list(salon, { payment: 'check' })]).toEqual([
      [],
      [id],
    ]);
    await updateAppointment(salon.as(), id, { change: { price: null } });
    expect(await getAppointment(salon.as(), id)).toMatchObject({ price: null, paid_amount: 4500 });
    await updateAppointment(salon.as(), id, { change: { price: 5000 } });
    expect(await getAppointment(salon.as(), id)).toMatchObject({ price: 5000, paid_amount: null });
    await voidPayment(salon.as(), dollars.id);
    expect([await list(salon, { payment: 'due' }), await list(salon, { payment: 'check' })]).toEqual([
      [id],
      [],
    ]);
    expect(await findProblems(salon)).toEqual([]);
  });

  it('is the sum of simultaneous payments', async () => {
    await using salon = await openPricedSalon();
    const id = await salon.addAppointment();
    await Promise.all([1, 2, 3, 4, 5].map((amount) => pay(salon, { appointment_id: id, amount })));
    expect(await getAppointment(salon.as(), id)).toMatchObject({ paid_amount: 15 });
  });

  it('is never below zero, and never more than the amounts', () => {
    const amounts = fc.record({
      amount: fc.nat(1000),
      tip_amount: fc.nat(1000),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(amounts), (given) => {
        const payments = given.map(({ share, ...one }) => ({
          ...{ ...one, currency: 'EUR', status: 'completed' },
          refunded_amount: Math.floor(share * (one.amount + one.tip_amount)),
        })) as unknown as Payment[];
        const paid = toPaidAmount(payments, 'EUR') ?? -1;
        expect(paid).toBeGreaterThanOrEqual(0);
        expect(paid).toBeLessThanOrEqual(payments.reduce((sum, { amount }) => sum + amount, 0));
      }),
    );
  });
});

describe('the filter payment=due', () => {
  it('finds completed appointments with a price that are not fully paid, in any order', async () => {
    await using salon = await openPricedSalon();
    const add = (day: number, body: Partial<BodyOf<'createAppointment'>> = {}) =>
      salon.addAppointment({ start_time: `2026-11-${day}T09:00:00Z`, status: 'completed', ...body });
    const unpaid = await add(12);
    const partly = await add(11);
    await pay(salon, { appointment_id: partly, amount: 4499 });
    await pay(salon, { appointment_id: await add(13) });
    await add(14, { price: null });
    await add(15, { price: 0 });
    await add(16, { status: 'confirmed' });
    await add(17, { status: 'no_show' });
    const other = await add(18, { price: 100 });
    expect(await list(salon, { payment: 'due' })).toEqual([unpaid, partly, other]);
    expect(await list(salon, { payment: 'due', sort: 'start_time' })).toEqual([partly, unpaid, other]);
    expect(await list(salon, { payment: 'due', start_time_to: '2026-11-12', sort: '-start_time' })).toEqual([
      unpaid,
      partly,
    ]);
    expect(await list(salon, { payment: 'due', status: 'confirmed' })).toEqual([]);
    const open = await add(19, { status: 'confirmed' });
    await updateAppointment(salon.as(), open, { change: { status: 'completed' } });
    expect(await list(salon, { payment: 'due' })).toEqual([unpaid, partly, other, open]);
    await updateAppointment(salon.as(), other, { change: { price: 0 } });
    expect(await list(salon, { payment: 'due' })).toEqual([unpaid, partly, open]);
  });
});

describe('the currency of the salon', () => {
  it.each([
    [
      'a service has',
      (salon: TestSalon) => createService(salon.as(), { name: 'Cut', duration: 30, price: 0 }),
    ],
    ['an appointment has', (salon: TestSalon) => salon.addAppointment({ price: 100 })],
  ])('cannot change while %s a price', async (_what, add) => {
    await using salon = await openTestSalon();
    await updateSalon(salon.as(), { change: { currency: 'EUR' } });
    await updateSalon(salon.as(), { change: { currency: 'CHF' } });
    await add(salon);
    for (const currency of ['EUR', null]) {
      await expect(
        updateSalon(salon.as(), { change: { currency, phone: '+4912345678' } }),
      ).rejects.toMatchObject({
        code: 'validation_failed',
        violations: [{ pointer: '/currency', code: 'in_use' }],
      });
    }
    const change = { currency: 'CHF', phone: '+4912345678' };
    expect(await updateSalon(salon.as(), { change })).toMatchObject(change);
  });
});

describe('a payment that is void', () => {
  it('is cancelled, with an event, once', async () => {
    await using salon = await openTestSalon();
    const { id } = await pay(salon, {});
    const voided = await voidPayment(salon.as(), id);
    expect(voided).toMatchObject({ id, status: 'cancelled', refunded_amount: 0 });
    expect(await voidPayment(salon.as(), id)).toEqual(voided);
    const text = 'select type from events order by seq';
    expect(await salon.store.database.reader.run(text, [])).toEqual([
      { type: 'payment.completed' },
      { type: 'payment.updated' },
    ]);
    const refused = { code: 'invalid_status_transition', members: { current_status: 'cancelled' } };
    await expect(refundPayment(salon.as(), id, {})).rejects.toMatchObject(refused);
  });

  it.each(['pending', 'failed'] as const)('may have been %s', async (status) => {
    await using salon = await openTestSalon();
    const { id } = await pay(salon, { status });
    expect(await voidPayment(salon.as(), id)).toMatchObject({ status: 'cancelled' });
  });

  it('was not refunded, was not changed since, and is not for a receptionist', async () => {
    await using salon = await openTestSalon();
    const { id } = await pay(salon, {});
    await refundPayment(salon.as(), id, { amount: 1 });
    await expect(voidPayment(salon.as(), id)).rejects.toMatchObject({ code: 'invalid_status_transition' });
    await expect(voidPayment(salon.as(), id, { ifMatch: [`"${testNow}"`] })).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    await expect(voidPayment(salon.as({ role: 'receptionist' }), id)).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });
});

it('the check of a database names an appointment that says otherwise than its payments', async () => {
  await using salon = await openPricedSalon();
  const id = await salon.addAppointment();
  await pay(salon, { appointment_id: id });
  const wrong = `update appointments set record = replace(record, '"paid_amount":4500', '"paid_amount":4400'), payment = 'due'`;
  await salon.store.database.transaction('rows', (tx) => tx.run(wrong, []));
  expect(await findProblems(salon)).toEqual([
    `${salon.accountId}, ${id}: paid_amount is 4400, but the payments have 4500.`,
  ]);
});
