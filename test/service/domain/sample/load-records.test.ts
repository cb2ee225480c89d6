import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getAppointment, listAppointments } from '../../../../src/service/domain/appointments.ts';
import {
  deleteClient,
  getClient,
  listClients,
  updateClient,
} from '../../../../src/service/domain/clients.ts';
import { loadRecords, type SourceRecord } from '../../../../src/service/domain/sample/load-records.ts';
import { openTestSalon, type TestSalon, testNow } from '../../../support/salon.ts';

let salon: TestSalon;
beforeEach(async () => {
  salon = await openTestSalon();
});
afterEach(() => salon[Symbol.asyncDispose]());

async function* each<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

function load(records: { clients?: Iterable<SourceRecord>; appointments?: Iterable<SourceRecord> }) {
  const { clients = [], appointments = [] } = records;
  return loadRecords(
    { database: salon.store.database, environment: salon.environment },
    {
      clients: each(clients),
      appointments: each(appointments),
    },
  );
}

const ana = {
  id: 'cli_01jd0000000000000000000000',
  first_name: 'Ana',
  last_name: 'Müller',
  email: 'ana@example.com',
  phone: '+351912345678',
  birthday: '1990-02-03',
  notes: null,
  preferred_stylist_id: 'sty_7',
  tags: ['vip'],
  email_marketing_consent: true,
  sms_marketing_consent: false,
  external_id: null,
  created_at: '2020-01-01T10:00:00Z',
  updated_at: '2021-01-01T10:00:00.123Z',
};
const cut = {
  id: 'apt_1',
  client_id: ana.id,
  stylist_id: 'sty_7',
  service: 'Cut',
  start_time: '2026-12-24T10:00:00Z',
  duration: 45,
  status: 'confirmed',
  notes: null,
  cancellation_reason: null,
  created_at: '2020-01-01T10:00:00Z',
  updated_at: '2020-01-01T10:00:00Z',
};

/** Payments are not loaded, so that everything would seem to be due. */
const unpaid = { price: null, paid_amount: 0 };

describe('loaded records', () => {
  it('are returned with all members, unknown ones too', async () => {
    const clients = [{ ...ana, loyalty: { points: 7 } }];
    expect(
      await load({ clients, appointments: [{ ...cut, room: 2, price: 4500, paid_amount: 4500 }] }),
    ).toEqual({
      clients: 1,
      appointments: 1,
      stylists: 1,
    });
    expect(await getClient(salon.as(), ana.id)).toEqual(clients[0]);
    expect(await getAppointment(salon.as(), 'apt_1')).toEqual({ ...cut, room: 2, ...unpaid });
  });

  it('are listed in their order, and counted', async () => {
    const ids = Array.from({ length: 12_345 }, (_, index) => `c-${(index * 7_919) % 12_345}`);
    await load({ clients: ids.map((id) => ({ id, first_name: id })) });
    const { total, dataJson } = await listClients(salon.as(), { page: 124, per_page: 100 });
    expect(total).toBe(12_345);
    const rows: { id: string }[] = JSON.parse(String(dataJson));
    expect(rows.map(({ id }) => id)).toEqual(ids.slice(12_300));
  });

  it('are found by filters and searches', async () => {
    await load({ clients: [ana], appointments: [cut] });
    for (const query of [{ q: 'MÜLL' }, { email: 'ana@example.com' }, { phone: '351912345678' }]) {
      expect(await listClients(salon.as(), query)).toMatchObject({ total: 1 });
    }
    expect(await listAppointments(salon.as(), { stylist_id: 'sty_7' })).toMatchObject({ total: 1 });
  });

  it.each<[string, SourceRecord, object]>([
    ['no members', {}, { first_name: null, tags: [], email_marketing_consent: false, created_at: testNow }],
    [
      'numbers for texts',
      { first_name: 7, phone: 35191, tags: [1] },
      { first_name: '7', phone: '35191', tags: ['1'] },
    ],
    [
      'things for texts',
      { first_name: {}, email: [], tags: 'vip' },
      { first_name: null, email: null, tags: [] },
    ],
    [
      'times that are none',
      { created_at: 'soon', updated_at: 7 },
      { created_at: testNow, updated_at: testNow },
    ],
    [
      'values against the rules',
      { email: 'nobody', birthday: '31.12.1990' },
      { email: 'nobody', birthday: '31.12.1990' },
    ],
    [
      'texts that cannot be stored',
      { last_name: '\0', email: '\ud800' },
      { last_name: '\0', email: '\ud800' },
    ],
    ['a stylist without a name', { preferred_stylist_id: '' }, { preferred_stylist_id: '' }],
  ])('may have %s, and can be read, listed and removed', async (_what, members, expected) => {
    await load({ clients: [{ id: 'c1', ...members }], appointments: [{ id: 'a1', ...members }] });
    expect(await getClient(salon.as(), 'c1')).toMatchObject({ id: 'c1', ...expected });
    expect(await listClients(salon.as(), {})).toMatchObject({ total: 1 });
    expect(await listAppointments(salon.as(), {})).toMatchObject({ total: 1 });
    await deleteClient(salon.as(), 'c1', { force: true });
  });

  it('can be changed, and keep unknown members', async () => {
    await load({ clients: [{ id: '17', first_name: 7, loyalty: 3 }] });
    const changed = await updateClient(salon.as(), '17', { change: { notes: 'new' } });
    expect(changed).toMatchObject({
      id: '17',
      first_name: '7',
      notes: 'new',
      loyalty: 3,
      created_at: testNow,
    });
  });

  it('keep their entity tag for If-Match', async () => {
    await load({ clients: [ana] });
    const bound = { change: { notes: 'new' }, ifMatch: [`"${ana.updated_at}"`] };
    expect(await updateClient(salon.as(), ana.id, bound)).toMatchObject({ notes: 'new' });
  });

  it('include the appointments that prevent a deletion', async () => {
    await load({ clients: [ana], appointments: [cut] });
    await expect(deleteClient(salon.as(), ana.id, { force: false })).rejects.toMatchObject({
      code: 'client_has_upcoming_appointments',
    });
  });

  it.each([[undefined], [null], [''], ['a/b'], ['..'], [{}], ['x'.repeat(201)]])(
    'are skipped with the ID %j, which no URL can contain',
    async (id) => {
      expect(await load({ clients: [{ id, first_name: 'Ana' }, ana] })).toMatchObject({ clients: 1 });
    },
  );

  it('name existing stylists, and new ones who can be booked', async () => {
    const there = await salon.addStylist({ active: false });
    const named = [there, 'sty_7', 'sty_7'].map((preferred_stylist_id, index) => ({
      id: `c${index}`,
      first_name: 'Ana',
      preferred_stylist_id,
    }));
    expect(await load({ clients: named })).toMatchObject({ stylists: 2 });
    await updateClient(salon.as(), 'c0', { change: { preferred_stylist_id: 'sty_7' } });
    await expect(
      updateClient(salon.as(), 'c1', { change: { preferred_stylist_id: there } }),
    ).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('are read no faster than they are written', async () => {
    let ahead = 0;
    let most = 0;
    async function* endless() {
      for (let index = 0; index < 20_000; index++) {
        ahead += 1;
        if (index % 5_000 === 0) {
          const { total } = await listClients(salon.as(), { per_page: 1 });
          most = Math.max(most, ahead - total);
        }
        yield { id: `c${index}`, first_name: 'Ana' };
      }
    }
    await loadRecords(
      { database: salon.store.database, environment: salon.environment },
      { clients: endless() },
    );
    expect(most).toBe(1);
  });
});
