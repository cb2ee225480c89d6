import { describe, expect, it } from 'vitest';
import {
  findFieldNames,
  findIdKey,
  findStatusWords,
  hasNumericIds,
} from '../../../src/client/dialect/record-names.ts';
import { readRows } from '../../../src/client/pagination/paginate.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openRecognised, recognise } from '../../support/open-recognised.ts';

const start = '2026-03-01T09:00:00Z';

describe('the names of fields', () => {
  it.each<[what: string, plural: string, row: object, names: object]>([
    ['of the contract', 'clients', { id: 1, first_name: 'A', email: 'a@x.test' }, {}],
    [
      'in other letters',
      'clients',
      { firstName: 'A', PhoneNumber: '1' },
      { first_name: 'firstName', phone: 'PhoneNumber' },
    ],
    [
      'of other servers',
      'clients',
      { given_name: 'A', email_address: 'a' },
      { first_name: 'given_name', email: 'email_address' },
    ],
    ['beside one of the contract', 'clients', { phone: '1', mobile: '2' }, {}],
    ['of a client', 'appointments', { start_time: start, customer: 2 }, { client_id: 'customer' }],
    ['of a client in the record', 'appointments', { client: { id: 2 } }, { client_id: 'client.id' }],
    [
      'of a service in the record',
      'appointments',
      { service: { id: 2, name: 'Cut' } },
      { service: 'service.name' },
    ],
    ['of an end alone', 'appointments', { start_time: start, end_time: start }, { end_time: 'end_time' }],
    ['of an end beside the length', 'appointments', { start_time: start, duration: 30, end_time: start }, {}],
    [
      'of a start and an end beside the length',
      'appointments',
      { startsAt: start, duration: 30, endsAt: start },
      { start_time: 'startsAt', duration: 'duration', end_time: 'endsAt' },
    ],
  ])('are found: %s', (_what, plural, row, names) => {
    expect(findFieldNames(plural, [row])).toEqual(names);
  });
});

describe('the words of statuses', () => {
  it.each([
    ['of the contract', ['confirmed', 'cancelled'], {}],
    ['in another spelling', ['confirmed', 'Canceled'], { confirmed: 'confirmed', Canceled: 'cancelled' }],
    ['without a meaning', ['waitlisted'], {}],
  ])('are found: %s', (_what, words, expected) => {
    expect(findStatusWords(words.map((status) => ({ status })))).toEqual(expected);
  });

  it('are in capitals where all that are shown are', () => {
    expect(findStatusWords([{ status: 'CONFIRMED' }])).toMatchObject({
      CANCELLED: 'cancelled',
      NO_SHOW: 'no_show',
    });
  });
});

describe('the member with the ID', () => {
  it.each([
    ['id', [{ id: 1, uuid: 'a' }]],
    ['_id', [{ _id: 'a', first_name: 'A' }]],
    ['client_id', [{ client_id: 1 }, { client_id: 2 }]],
    ['documentId', [{ id: 1, documentId: 'a' }]],
    ['id', [{ key: 'same' }, { key: 'same' }]],
  ])('is %s of %j', (key, rows) => {
    expect(findIdKey('clients', rows)).toBe(key);
  });

  it('has numbers, or not', () => {
    expect([hasNumericIds([{ id: 1 }]), hasNumericIds([{ id: '1' }])]).toEqual([true, false]);
  });
});

describe('a server with names of its own', () => {
  const customers = Array.from({ length: 60 }, (_, index) => ({ _id: index + 1, givenName: `A${index}` }));
  const open = () =>
    openMisbehavingServer(({ path, query }) => {
      const start = Number(query.get('skip') ?? 0);
      const rows = customers.slice(start, start + Number(query.get('limit') ?? 20));
      return path === '/clients'
        ? json({ hits: { n: customers.length }, docs: rows })
        : json({}, { status: 404 });
    });

  it('is declared with them', async () => {
    await using server = await open();
    expect(await recognise(server.origin)).toMatchObject({
      ...{ paging: 'offset', pageParameter: 'skip', perPageParameter: 'limit' },
      ...{ rowsKey: 'docs', idKey: '_id', numericIds: true },
      fields: { clients: { first_name: 'givenName' } },
    });
  });

  it('is read under the names of the contract', async () => {
    await using server = await open();
    await using client = await openRecognised(server.origin);
    const rows = await readRows<unknown>(client.clients.list());
    expect([rows.length, rows[2]]).toMatchObject([60, { id: 3, first_name: 'A2' }]);
  });
});
