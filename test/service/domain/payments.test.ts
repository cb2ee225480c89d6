import { describe, expect, it } from 'vitest';
import type { BodyOf } from '../../../src/contract/endpoints.ts';
import { getAppointment, updateAppointment } from '../../../src/service/domain/appointments.ts';
import { deleteClient } from '../../../src/service/domain/clients.ts';
import type { PageOfRecords } from '../../../src/service/domain/list-page.ts';
import { createPayment, getPayment, listPayments } from '../../../src/service/domain/payments.ts';
import { openTestSalon, type TestSalon, testNow } from '../../support/salon.ts';

const paid: BodyOf<'createPayment'> = { amount: 4500, currency: 'EUR', method: 'card' };

function toIds({ dataJson }: PageOfRecords): string[] {
  const rows: { id: string }[] = JSON.parse(dataJson.toString());
  return rows.map(({ id }) => id);
}

async function readEventTypes({ store, accountId }: TestSalon): Promise<string[]> {
  const text = 'select type from events where account_id = ? order by seq';
  const rows = await store.database.reader.run<{ type: string }>(text, [accountId]);
  return rows.map(({ type }) => type).filter((type) => type.startsWith('payment.'));
}

describe('a new payment', () => {
  it('has every field, is completed, and has only the given values', async () => {
    await using salon = await openTestSalon();
    const payment = await createPayment(salon.as(), paid);
    expect(payment).toEqual({
      id: expect.stringMatching(/^pay_[0-9a-hjkmnp-tv-z]{26}$/),
      client_id: null,
      appointment_id: null,
      amount: 4500,
      currency: 'EUR',
      tip_amount: 0,
      method: 'card',
      status: 'completed',
      refunded_amount: 0,
      reference: null,
      created_at: testNow,
      updated_at: testNow,
    });
    expect(await getPayment(salon.as(), payment.id)).toEqual(payment);
  });

  it('of an appointment belongs to its client', async () => {
    await using salon = await openTestSalon();
    const client_id = await salon.addClient();
    const appointment_id = await salon.addAppointment({ client_id });
    expect(await createPayment(salon.as(), { ...paid, appointment_id })).toMatchObject({
      client_id,
      appointment_id,
    });
    expect(await createPayment(salon.as(), { ...paid, appointment_id, client_id })).toMatchObject({
      client_id,
    });
  });

  it.each(['EURO', 'XXX', 'DEM', 'eur', 'XAU', ''])('in the currency "%s" is refused', async (currency) => {
    await using salon = await openTestSalon();
    await expect(createPayment(salon.as(), { ...paid, currency })).rejects.toMatchObject({
      code: 'validation_failed',
      violations: [{ pointer: '/currency', code: 'invalid_format' }],
    });
  });

  it('is refused with all violations, and nothing is written', async () => {
    await using salon = await openTestSalon();
    const neighbour = await salon.openNeighbour();
    const body = {
      ...paid,
      client_id: await neighbour.addClient(),
      appointment_id: await neighbour.addAppointment(),
      currency: 'ZZZ',
      reference: 'a\0',
    };
    await expect(createPayment(salon.as(), body)).rejects.toMatchObject({
      violations: [
        { pointer: '/reference', code: 'invalid_format' },
        { pointer: '/client_id', code: 'not_found' },
        { pointer: '/appointment_id', code: 'not_found' },
        { pointer: '/currency', code: 'invalid_format' },
      ],
    });
    expect(await listPayments(salon.as(), {})).toMatchObject({ total: 0, version: 0 });
    expect(await readEventTypes(salon)).toEqual([]);
  });

  it('of an appointment may belong to another client, who pays for it', async () => {
    await using salon = await openTestSalon();
    const [client_id, friend] = [await salon.addClient(), await salon.addClient()];
    const appointment_id = await salon.addAppointment({ client_id });
    const gift = await createPayment(salon.as(), { ...paid, client_id: friend, appointment_id });
    expect(gift).toMatchObject({ client_id: friend, appointment_id });
    expect(await getAppointment(salon.as(), appointment_id)).toMatchObject({ client_id, paid_amount: 4500 });
    expect(toIds(await listPayments(salon.as(), { client_id: friend }))).toEqual([gift.id]);
    expect(toIds(await listPayments(salon.as(), { client_id }))).toEqual([]);
  });

  it.each([
    ['pending', 'payment.created'],
    ['completed', 'payment.completed'],
    ['failed', 'payment.failed'],
    ['cancelled', 'payment.created'],
  ] as const)('that is %s has the event %s', async (status, type) => {
    await using salon = await openTestSalon();
    await createPayment(salon.as(), { ...paid, status });
    expect(await readEventTypes(salon)).toEqual([type]);
  });

  it('stays in every list when its client is erased', async () => {
    await using salon = await openTestSalon();
    const client_id = await salon.addClient();
    const payment = await createPayment(salon.as(), { ...paid, client_id });
    await deleteClient(salon.as(), client_id, { force: false });
    expect(await getPayment(salon.as(), payment.id)).toEqual(payment);
    expect(toIds(await listPayments(salon.as(), { client_id }))).toEqual([payment.id]);
  });
});

describe("a stylist's payments", () => {
  it.each([
    ['no appointment', async () => undefined],
    ["somebody else's appointment", (salon: TestSalon) => salon.addAppointment()],
    ['an appointment that is not there', async () => 'apt_none'],
  ])('cannot be of %s', async (_, toAppointmentId) => {
    await using salon = await openTestSalon();
    const stylist = salon.as({ role: 'stylist', stylistId: await salon.addStylist() });
    const appointment_id = await toAppointmentId(salon);
    const body = appointment_id === undefined ? paid : { ...paid, appointment_id };
    await expect(createPayment(stylist, body)).rejects.toMatchObject({ code: 'permission_denied' });
    expect(await listPayments(salon.as(), {})).toMatchObject({ total: 0 });
  });

  it('move with the appointment to another stylist', async () => {
    await using salon = await openTestSalon();
    const [before, after] = [await salon.addStylist(), await salon.addStylist()];
    const appointment_id = await salon.addAppointment({ stylist_id: before });
    const payment = await createPayment(salon.as(), { ...paid, appointment_id });
    const loose = await createPayment(salon.as(), paid);
    const [former, present] = [before, after].map((stylistId) => salon.as({ role: 'stylist', stylistId }));
    if (former === undefined || present === undefined) throw new Error('There are two stylists.');
    expect(toIds(await listPayments(former, {}))).toEqual([payment.id]);
    expect(toIds(await listPayments(present, {}))).toEqual([]);
    await updateAppointment(salon.as(), appointment_id, { change: { stylist_id: after } });
    expect(await listPayments(former, {})).toMatchObject({ total: 0 });
    expect(toIds(await listPayments(present, {}))).toEqual([payment.id]);
    expect(await getPayment(present, payment.id)).toEqual(payment);
    await expect(getPayment(former, payment.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(getPayment(present, loose.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are empty for a key without a stylist', async () => {
    await using salon = await openTestSalon();
    const payment = await createPayment(salon.as(), paid);
    const nobody = salon.as({ role: 'stylist' });
    expect(await listPayments(nobody, {})).toMatchObject({ total: 0 });
    await expect(getPayment(nobody, payment.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(createPayment(nobody, paid)).rejects.toMatchObject({ code: 'permission_denied' });
  });
});

describe('the filters of payments', () => {
  it.each([
    [{}, [0, 1, 2]],
    [{ status: 'completed' }, [0, 2]],
    [{ status: 'pending,completed' }, [0, 1, 2]],
    [{ status: 'failed' }, []],
    [{ client_id: 'cli_none' }, []],
    [{ appointment_id: 'apt_none' }, []],
    [{ created_from: '2026-11-22' }, [1, 2]],
    [{ created_from: '2026-11-22T00:00:00.001Z' }, [2]],
    [{ created_to: '2026-11-21' }, [0]],
    [{ created_to: '2026-11-22' }, [0, 1, 2]],
    [{ created_to: '2026-11-22T00:00:00Z' }, [0]],
    [{ created_from: '2026-11-22', created_to: '2026-11-22', sort: '-created_at' as const }, [2, 1]],
    [{ status: 'completed', sort: '-updated_at' as const }, [2, 0]],
  ])('%j find %j', async (query, expected) => {
    await using salon = await openTestSalon();
    const ids: string[] = [];
    for (const [index, at] of ['2026-11-21T12:00:00Z', '2026-11-22', '2026-11-22T23:59:59Z'].entries()) {
      salon.environment.setTime(at);
      const status = index === 1 ? 'pending' : 'completed';
      ids.push((await createPayment(salon.as(), { ...paid, status })).id);
    }
    const page = await listPayments(salon.as(), query);
    expect(toIds(page).map((id) => ids.indexOf(id))).toEqual(expected);
    expect(page.total).toBe(expected.length);
  });

  it('are refused together, each with its name', async () => {
    await using salon = await openTestSalon();
    const query = { status: 'completed,refunded', created_from: 'today', created_to: '2026-02-30' };
    await expect(listPayments(salon.as(), query)).rejects.toMatchObject({
      code: 'invalid_parameter',
      violations: Object.keys(query).map((parameter) => ({ parameter, code: 'invalid_format' })),
    });
  });
});
