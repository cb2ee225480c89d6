import { describe, expect, it } from 'vitest';
import { contractDialect, type Dialect, toResourceDialect } from '../../../src/client/dialect/dialect.ts';
import { type PresetName, presets } from '../../../src/client/dialect/presets.ts';
import { toFilterParameters, toOrderParameters } from '../../../src/client/pagination/list-query.ts';

function mapOf(dialect: Partial<Dialect>, plural: string) {
  const { map } = toResourceDialect({ ...contractDialect, ...dialect }, plural);
  if (map === undefined) throw new Error('The dialect has no names.');
  return map;
}

const booking = {
  id: 'b1',
  version: 3,
  status: 'CANCELLED_BY_CUSTOMER',
  start_at: '2026-03-02T09:00:00Z',
  customer_id: 'c1',
  location_id: 'l1',
  appointment_segments: [{ duration_minutes: 30, team_member_id: 't1', service_variation_id: 's1', any: 1 }],
};
const segment = booking.appointment_segments[0];

it.each([
  ['-', '--05-15'],
  ['0000', '0000-05-15'],
] as const)('writes and reads a birthday without a year with %s', (birthdayWithoutYear, birthday) => {
  const { map } = toResourceDialect({ ...contractDialect, birthdayWithoutYear }, 'clients');
  expect(map?.write({ birthday: '--05-15' }) ?? { birthday: '--05-15' }).toEqual({ birthday });
  expect(map?.read({ birthday }) ?? { birthday }).toEqual({ birthday: '--05-15' });
  expect(map?.write({ birthday: '1985-05-15' }) ?? {}).not.toEqual({ birthday });
});

describe('a record of a declared server', () => {
  it.each<[string, PresetName, string, object, object]>([
    [
      'names of a client',
      'square',
      'clients',
      { id: '1', given_name: 'Ana', email_address: 'a@x.test', note: null, birthday: '1990-01-01', other: 1 },
      { id: '1', first_name: 'Ana', email: 'a@x.test', notes: null, birthday: '1990-01-01', other: 1 },
    ],
    [
      'segments and the word for a status',
      'square',
      'appointments',
      booking,
      {
        ...{ id: 'b1', version: 3, location_id: 'l1', appointment_segments: [segment] },
        ...{ status: 'cancelled', server_status: 'CANCELLED_BY_CUSTOMER' },
        ...{
          start_time: '2026-03-02T09:00:00Z',
          client_id: 'c1',
          stylist_id: 't1',
          service: 's1',
          duration: 30,
        },
      },
    ],
    [
      'a length as an end, and an empty status',
      'easyappointments',
      'appointments',
      { id: 1, start: '2026-03-02 09:00:00', end: '2026-03-02 09:45:00', status: '', customerId: 4 },
      {
        ...{ id: 1, start_time: '2026-03-02 09:00:00', end_time: '2026-03-02 09:45:00', duration: 45 },
        ...{ status: 'confirmed', server_status: '', client_id: 4 },
      },
    ],
    [
      'a price that is not in minor units',
      'easyappointments',
      'services',
      { id: 1, name: 'Cut', price: 10.5 },
      { id: 1, name: 'Cut', server_price: 10.5 },
    ],
    [
      'amounts in a member',
      'square',
      'payments',
      { id: 'p', amount_money: { amount: 500, currency: 'EUR' }, source_type: 'CARD' },
      {
        ...{ id: 'p', amount_money: { amount: 500, currency: 'EUR' } },
        ...{ method: 'CARD', amount: 500, currency: 'EUR' },
      },
    ],
  ])(
    'is read with the contract’s names, and written back as it was: %s',
    (_what, preset, plural, own, row) => {
      const map = mapOf(presets[preset], plural);
      expect(map.read({ ...own })).toEqual(row);
      expect(map.write({ ...row })).toEqual(own);
    },
  );

  it('adds up the lengths of several segments, and names no stylist where several work', () => {
    const other = { duration_minutes: 45, team_member_id: 't2', service_variation_id: 's2' };
    const row = mapOf(presets.square, 'appointments').read({ appointment_segments: [segment, other] });
    expect(row).toMatchObject({ duration: 75, service: 's1, s2' });
    expect(row).not.toHaveProperty('stylist_id');
  });

  it('does not change the length of one of several segments', () => {
    const map = mapOf(presets.square, 'appointments');
    expect(() => map.write({ appointment_segments: [segment, segment], duration: 30 })).toThrow('2 parts');
  });

  it('has a start in two fields as one, with the time of day written beside the day', () => {
    const map = mapOf({ fields: { appointments: { start_time: 'date+time' } } }, 'appointments');
    expect(map.read({ id: 1, date: '2026-03-02', time: '09:00' })).toEqual({
      id: 1,
      start_time: '2026-03-02 09:00',
    });
    expect(map.write({ start_time: '2026-03-03 10:30:00' })).toEqual({
      date: '2026-03-03',
      time: '10:30:00',
    });
  });

  it('writes the first of several words for a status', () => {
    expect(mapOf(presets.square, 'appointments').write({ status: 'cancelled' })).toEqual({
      status: 'CANCELLED_BY_SELLER',
    });
  });

  it('has a time in Unix seconds as the contract writes times', () => {
    const row = mapOf(presets.stripe, 'clients').read({ id: 'c', name: 'Ana Sá', created: 1_767_225_607 });
    expect(row).toEqual({ id: 'c', first_name: 'Ana Sá', created_at: '2026-01-01T00:00:07Z' });
  });

  it('is refused if a field of the contract is there twice', () => {
    const map = mapOf(presets.square, 'clients');
    expect(() => map.read({ given_name: 'Ana', first_name: 'Bo' })).toThrow('first_name besides given_name');
  });
});

it('takes fields under names of either side, but not both', () => {
  const map = mapOf(presets.square, 'clients');
  expect(map.adopt({ given_name: 'Ana', last_name: 'Sá' })).toEqual({ first_name: 'Ana', last_name: 'Sá' });
  expect(() => map.adopt({ given_name: 'Ana', first_name: 'Bo' })).toThrow(
    "given_name is the server's name for first_name: give one of them.",
  );
});

describe('a query of a declared server', () => {
  const own = {
    fields: { appointments: { status: 'State', start_time: 'startAt' } },
    statuses: { Open: 'confirmed', Booked: 'confirmed' },
  } as const;

  it.each([
    ['plain', { status: 'Open,Booked', start_time_from: '2026-03-01T00:00:00Z' }],
    ['django', { State__in: 'Open,Booked', startAt__gte: '2026-03-01T00:00:00Z' }],
    ['postgrest', { State: 'in.("Open","Booked")', startAt: 'gte.2026-03-01T00:00:00Z' }],
    ['odata', { $filter: "(State eq 'Open' or State eq 'Booked') and startAt ge 2026-03-01T00:00:00Z" }],
  ] as const)('has its names and words in %s filters', (filterStyle, parameters) => {
    const dialect = toResourceDialect({ ...contractDialect, ...own, filterStyle }, 'appointments');
    const filters = { status: 'confirmed', start_time_from: '2026-03-01T00:00:00Z' };
    expect(toFilterParameters(filters, dialect)).toEqual(parameters);
  });

  it('has its names in an order', () => {
    const dialect = toResourceDialect({ ...contractDialect, ...own }, 'appointments');
    expect(toOrderParameters('-start_time', dialect)).toEqual({ sort: '-startAt' });
  });
});

describe('a flag that is a status', () => {
  const map = mapOf(
    {
      statuses: { accepted: 'confirmed', rejected: 'cancelled' },
      statusFlags: { 'attendees.*.absent': 'no_show' },
    },
    'appointments',
  );
  const people = (...absent: unknown[]) => ({ attendees: absent.map((one) => ({ absent: one })) });

  it.each<[string, object, string]>([
    ['of the one who did not come', { status: 'accepted', ...people(true) }, 'no_show'],
    ['of all of them', { status: 'accepted', ...people(true, true) }, 'no_show'],
    ['of one of two', { status: 'accepted', ...people(true, false) }, 'confirmed'],
    ['that is false', { status: 'rejected', ...people(false) }, 'cancelled'],
    ['that is no flag', { status: 'accepted', ...people('true') }, 'confirmed'],
    ['of nobody', { status: 'accepted', attendees: [] }, 'confirmed'],
    ['that is missing', { status: 'accepted' }, 'confirmed'],
  ])('counts if it is true: %s', (_case, record, status) => {
    expect(map.read({ ...record })).toMatchObject({ status });
  });

  it('is not written: the word stays as the server has it', () => {
    const read = map.read({ id: 1, status: 'accepted', ...people(true) });
    expect(read).toMatchObject({ status: 'no_show', server_status: 'accepted' });
    expect(map.write(read)).toMatchObject({ status: 'accepted' });
  });

  it('holds for appointments alone', () => {
    const { map: none } = toResourceDialect(
      { ...contractDialect, statusFlags: { absent: 'no_show' } },
      'clients',
    );
    expect(none).toBeUndefined();
  });
});
