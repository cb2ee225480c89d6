import { describe, expect, it } from 'vitest';
import { getAppointment, updateAppointment } from '../../../src/service/domain/appointments.ts';
import { mergeClients, unmergeClients } from '../../../src/service/domain/client-merge.ts';
import { listClients, updateClient } from '../../../src/service/domain/clients.ts';
import { createPayment, listPayments } from '../../../src/service/domain/payments.ts';
import { cardPayment, mergeDouble, openDoubleSalon } from '../../support/double-salon.ts';
import { addWebhook, readEvents } from '../../support/event-log.ts';
import { readSalon } from '../../support/salon-state.ts';

describe('the reversal of a merge', () => {
  it('leaves the salon as before', async () => {
    await using double = await openDoubleSalon();
    const { salon, into, from } = double;
    const before = await readSalon(salon.store.database);
    await mergeDouble(double);
    expect(await readSalon(salon.store.database)).not.toEqual(before);
    expect(await unmergeClients(salon.as(), into, {})).toMatchObject({
      id: into,
      from,
      moved: { appointments: 2, payments: 2 },
      kept_fields: [],
    });
    expect(await readSalon(salon.store.database)).toEqual(before);
    const pages = [1, 2, 3].map((page) => listClients(salon.as(), { page, per_page: 1 }));
    const ids = (await Promise.all(pages)).map(({ dataJson }) => JSON.parse(dataJson.toString())[0].id);
    expect(ids.slice(0, 2)).toEqual([into, from]);
  });

  it('keeps what was changed since, and new appointments with the client', async () => {
    await using double = await openDoubleSalon();
    const { salon, into, from, upcoming } = double;
    await mergeDouble(double);
    await updateClient(salon.as(), into, { change: { notes: 'New', birthday: '1990-01-01' } });
    const later = await salon.addAppointment({ client_id: into });
    const cash = await createPayment(salon.as(), { ...cardPayment, appointment_id: upcoming });
    await updateAppointment(salon.as(), upcoming, { change: { notes: 'Bring photos' } });
    const reversed = await unmergeClients(salon.as(), into, { from });
    expect(reversed).toMatchObject({
      moved: { appointments: 2, payments: 3 },
      kept_fields: ['notes'],
      client: { notes: 'New', birthday: '1990-01-01', phone: null, tags: [] },
    });
    expect(await getAppointment(salon.as(), later)).toMatchObject({ client_id: into });
    expect(await getAppointment(salon.as(), upcoming)).toMatchObject({
      client_id: from,
      notes: 'Bring photos',
    });
    const theirs = JSON.parse((await listPayments(salon.as(), { client_id: from })).dataJson.toString());
    expect(theirs.map(({ id }: { id: string }) => id)).toContain(cash.id);
  });

  it('keeps with a client what it paid before for the other one', async () => {
    await using double = await openDoubleSalon();
    const { salon, into, from, upcoming } = double;
    const gift = await createPayment(salon.as(), {
      ...cardPayment,
      client_id: into,
      appointment_id: upcoming,
    });
    const before = await readSalon(salon.store.database);
    salon.environment.setTime('2026-11-21T13:00:00Z');
    await mergeDouble(double);
    expect(await unmergeClients(salon.as(), into, {})).toMatchObject({ moved: { payments: 2 } });
    expect(await readSalon(salon.store.database)).toEqual(before);
    const theirs = JSON.parse((await listPayments(salon.as(), { client_id: from })).dataJson.toString());
    expect(theirs.map(({ id }: { id: string }) => id)).not.toContain(gift.id);
  });

  it('keeps the only contact of a client whose other contact was cleared since', async () => {
    await using double = await openDoubleSalon();
    const { salon, from } = double;
    const into = await salon.addClient({ email: 'only@example.org' });
    await mergeClients(salon.as(), into, { from });
    await updateClient(salon.as(), into, { change: { email: null } });
    const { client, kept_fields } = await unmergeClients(salon.as(), into, {});
    expect(client).toMatchObject({ first_name: 'Anna', phone: '+351912345678', notes: null });
    expect(kept_fields).toEqual(['first_name', 'last_name', 'phone']);
  });

  it('writes one event per changed record', async () => {
    await using double = await openDoubleSalon();
    const { salon, into, from } = double;
    await addWebhook(salon);
    await mergeDouble(double);
    const known = (await readEvents(salon)).length;
    await unmergeClients(salon.as(), into, {});
    const events = (await readEvents(salon)).slice(known).map(({ type, data }) => [type, data.object.id]);
    expect(events).toHaveLength(6);
    expect(events).toContainEqual(['client.created', from]);
    expect(events).toContainEqual(['client.updated', into]);
  });

  it('is possible for 30 days and once', async () => {
    await using double = await openDoubleSalon();
    const { salon, into } = double;
    const refused = { code: 'merge_not_reversible' };
    await expect(unmergeClients(salon.as(), into, {})).rejects.toMatchObject(refused);
    await mergeDouble(double);
    salon.environment.setTime('2026-12-21T12:00:00.000Z');
    await unmergeClients(salon.as(), into, {});
    await expect(unmergeClients(salon.as(), into, {})).rejects.toMatchObject(refused);
    await mergeDouble(double);
    salon.environment.setTime('2027-01-20T12:00:00.001Z');
    await expect(unmergeClients(salon.as(), into, {})).rejects.toMatchObject(refused);
  });

  it('undoes several merges in reverse order', async () => {
    await using double = await openDoubleSalon();
    const { salon, into, from } = double;
    const third = await salon.addClient({ first_name: 'Ana', notes: 'Third', tags: ['new'] });
    const before = await readSalon(salon.store.database);
    await mergeDouble(double);
    await mergeClients(salon.as(), third, { from: into });
    await expect(unmergeClients(salon.as(), into, {})).rejects.toMatchObject({
      code: 'not_found',
      members: { merged_into: third },
    });
    expect(await unmergeClients(salon.as(), third, {})).toMatchObject({ from: into });
    expect(await unmergeClients(salon.as(), into, {})).toMatchObject({ from });
    expect(await readSalon(salon.store.database)).toEqual(before);
  });
});
