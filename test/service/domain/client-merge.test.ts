import { describe, expect, it } from 'vitest';
import { getAppointment, listAppointments } from '../../../src/service/domain/appointments.ts';
import { mergeClients } from '../../../src/service/domain/client-merge.ts';
import { deleteClient, getClient, listClients, updateClient } from '../../../src/service/domain/clients.ts';
import { createIdempotency } from '../../../src/service/domain/idempotency.ts';
import { listPayments } from '../../../src/service/domain/payments.ts';
import { mergeDouble, openDoubleSalon } from '../../support/double-salon.ts';
import { addWebhook, readEvents } from '../../support/event-log.ts';
import type { TestSalon } from '../../support/salon.ts';
import { readSalon } from '../../support/salon-state.ts';

async function readTotal(salon: TestSalon, query: object = {}): Promise<number> {
  return (await listClients(salon.as(), query)).total;
}

describe('a merge', () => {
  it('moves appointments of every status and payments, and combines the fields', async () => {
    await using double = await openDoubleSalon();
    const { salon, into, from } = double;
    expect(await mergeDouble(double)).toMatchObject({
      id: into,
      from,
      moved: { appointments: 2, payments: 2 },
      reversible_until: '2026-12-21T12:00:00.000Z',
      client: {
        first_name: 'Ana',
        email: 'ana@example.org',
        phone: '+351912345678',
        notes: 'Secret: prefers tea',
        tags: ['vip'],
      },
    });
    expect((await listAppointments(salon.as(), { client_id: into })).total).toBe(3);
    expect((await listAppointments(salon.as(), { client_id: from })).total).toBe(0);
    expect((await listPayments(salon.as(), { client_id: into })).total).toBe(2);
    expect(await getAppointment(salon.as(), double.past)).toMatchObject({ client_id: into });
  });

  it('takes the given fields instead of combined ones', async () => {
    await using double = await openDoubleSalon();
    const fields = { first_name: 'Anna', notes: null };
    const { client } = await mergeDouble(double, { fields });
    expect(client).toMatchObject({ ...fields, phone: '+351912345678' });
  });

  it('hides the archived client from lists, search, counts and new bookings', async () => {
    await using double = await openDoubleSalon();
    const { salon, into, from } = double;
    const { version } = await listClients(salon.as(), {});
    await mergeDouble(double);
    expect(await readTotal(salon)).toBe(2);
    expect(await readTotal(salon, { q: 'anna' })).toBe(0);
    expect(await readTotal(salon, { phone: '+351912345678' })).toBe(1);
    expect((await listClients(salon.as(), { page: 2, per_page: 1 })).total).toBe(2);
    expect((await listClients(salon.as(), {})).version).toBeGreaterThan(version);
    const missing = { code: 'not_found', members: { id: from, merged_into: into } };
    await expect(getClient(salon.as(), from)).rejects.toMatchObject(missing);
    await expect(updateClient(salon.as(), from, { change: {} })).rejects.toMatchObject(missing);
    await expect(deleteClient(salon.as(), from, { force: true })).rejects.toMatchObject(missing);
    await expect(mergeDouble(double)).rejects.toMatchObject(missing);
    await expect(salon.addAppointment({ client_id: from })).rejects.toMatchObject({
      violations: [{ pointer: '/client_id', code: 'not_found' }],
    });
  });

  it('writes one event per changed record', async () => {
    await using double = await openDoubleSalon();
    const { salon, into, from, upcoming, past, paid, voucher } = double;
    await addWebhook(salon);
    const known = (await readEvents(salon)).length;
    await mergeDouble(double);
    const events = (await readEvents(salon)).slice(known);
    expect(events.map(({ type, data }) => [type, data.object.id]).toSorted()).toEqual(
      [
        ['client.updated', into],
        ['client.deleted', from],
        ['booking.updated', upcoming],
        ['booking.updated', past],
        ['payment.updated', paid],
        ['payment.updated', voucher],
      ].toSorted(),
    );
    for (const { type, data } of events) {
      if (!/^(?:booking|payment)/.test(type)) continue;
      expect(data).toMatchObject({ object: { client_id: into }, previous_attributes: { client_id: from } });
    }
  });

  it.each(['into', 'from'] as const)('is refused if %s has changed', async (which) => {
    await using double = await openDoubleSalon();
    const { salon } = double;
    const before = await readSalon(salon.store.database);
    const tags = { into: { ifMatch: ['"stale"'] }, from: { fromIfMatch: ['"stale"'] } };
    await expect(mergeDouble(double, tags[which])).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(await readSalon(salon.store.database)).toEqual(before);
  });

  it('is refused with itself, and with a client of another account', async () => {
    await using double = await openDoubleSalon();
    const { salon, into, from } = double;
    const neighbour = await salon.openNeighbour();
    const theirs = await neighbour.addClient();
    await expect(mergeClients(salon.as(), into, { from: into })).rejects.toMatchObject({
      code: 'validation_failed',
      violations: [{ pointer: '/from' }],
    });
    for (const [id, other] of [
      [into, theirs],
      [theirs, from],
    ] as const) {
      await expect(mergeClients(salon.as(), id, { from: other })).rejects.toMatchObject({
        code: 'not_found',
        members: { id: theirs },
      });
    }
  });

  it('is executed once per idempotency key', async () => {
    await using double = await openDoubleSalon();
    const { salon, into, from } = double;
    const idempotency = createIdempotency();
    const request = { key: 'k', digest: 'd' };
    const run = () => idempotency(salon.as(), request, (inside) => mergeClients(inside, into, { from }));
    const first = await run();
    const known = (await readEvents(salon)).length;
    expect(await run()).toEqual({ result: first.result, isReplay: true });
    expect(await readEvents(salon)).toHaveLength(known);
  });

  it('is refused if the notes do not fit into one record, until they are given', async () => {
    await using double = await openDoubleSalon();
    const { salon, into } = double;
    await updateClient(salon.as(), into, { change: { notes: 'n'.repeat(4090) } });
    await expect(mergeDouble(double)).rejects.toMatchObject({
      violations: [{ pointer: '/fields/notes', code: 'out_of_range' }],
    });
    await expect(mergeDouble(double, { fields: { notes: 'short' } })).resolves.toBeDefined();
  });

  it('points to the invalid field in its body', async () => {
    await using double = await openDoubleSalon();
    const fields = { birthday: '2999-01-01', preferred_stylist_id: 'sty_none' };
    await expect(mergeDouble(double, { fields })).rejects.toMatchObject({
      violations: [{ pointer: '/fields/birthday' }, { pointer: '/fields/preferred_stylist_id' }],
    });
  });
});
