import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClientConditions } from '../../../src/client/selection/client-conditions.ts';
import { type SelectionOptions, selectClients } from '../../../src/client/selection/select-clients.ts';
import { collect } from '../../support/collect.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';

interface Records {
  readonly clients: readonly object[];
  readonly appointments?: readonly object[];
  /** Whether the server sends totals. */
  readonly hasTotals?: boolean;
}

/** Selects from a server that reads no filters. */
async function select(records: Records, conditions: ClientConditions, options: SelectionOptions = {}) {
  const { clients, appointments = [], hasTotals = true } = records;
  await using server = await openMisbehavingServer(({ path, query }) => {
    const all = path.endsWith('/appointments') ? appointments : clients;
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 50)];
    const data = all.slice((page - 1) * size, page * size);
    return json(hasTotals ? { data, pagination: { page, per_page: size, total: all.length } } : data);
  });
  await using client = openClient(server.origin);
  const selection = selectClients(client, conditions, options);
  const pages = await collect(selection);
  const ids = pages.flatMap(({ rows }) => rows.map(({ id }) => id));
  const unverified = selection.consistency()?.unverified;
  return { ids, facts: selection.facts(), unverified, requests: server.received.length };
}

const asOf = '2026-11-22T12:00:00Z';
const people = [
  { id: 'a', tags: ['vip', 'Colour'], email: 'ana@x.test', birthday: '1990-11-25' },
  { id: 'b', tags: ['VIP'], email: null, birthday: '1988-02-29' },
  { id: 'c', tags: [], email: '', birthday: null },
];

describe('selectClients', () => {
  it.each<[string, ClientConditions, string[]]>([
    ['a tag, whatever its case', { tags: ['Vip'] }, ['a', 'b']],
    ['every tag that is named', { tags: ['vip', 'colour'] }, ['a']],
    ['a tag that is missing', { withoutTags: ['colour'] }, ['b', 'c']],
    ['a blank field', { blank: ['email'] }, ['b', 'c']],
    ['two conditions at once', { tags: ['vip'], blank: ['email'] }, ['b']],
    ['a birthday on the first day', { birthday: { from: '2026-11-25', to: '2026-12-02' } }, ['a']],
    ['a birthday on the last day', { birthday: { from: '2026-11-18', to: '2026-11-25' } }, ['a']],
    ['a birthday of 29 February, on the 28th', { birthday: { from: '2027-02-28', to: '2027-02-28' } }, ['b']],
    ['29 February itself in a leap year', { birthday: { from: '2028-02-28', to: '2028-02-28' } }, []],
    ['birthdays in the new year', { birthday: { from: '2026-11-26', to: '2027-11-25' } }, ['a', 'b']],
  ])('finds %s', async (_what, conditions, ids) => {
    expect((await select({ clients: people }, conditions)).ids).toEqual(ids);
  });

  it.each<[string, object, string]>([
    ['unknown', { q: 'an' }, 'There is no condition q.'],
    ['mistyped', { tag: ['vip'] }, 'There is no condition tag. Did you mean tags?'],
    ['missing', {}, 'There is no condition, so it would be every client.'],
    ['undefined', { tags: undefined }, 'The condition tags is empty or not valid.'],
    ['empty', { tags: [] }, 'The condition tags is empty or not valid.'],
    ['blank', { tags: ['vip', ' '] }, 'The condition tags is empty or not valid.'],
    ['a text for a list', { tags: 'vip' }, 'The condition tags is empty or not valid.'],
    ['about an unknown field', { blank: ['notes'] }, 'The condition blank is empty or not valid.'],
    [
      'no day',
      { birthday: { from: 'mon', to: '2026-12-02' } },
      'The condition birthday is empty or not valid.',
    ],
    ['no instant', { notSeenSince: '6mo', asOf }, 'The condition notSeenSince is empty or not valid.'],
    [
      'without the present time',
      { notSeenSince: asOf },
      'seenSince and notSeenSince need asOf, such as the present time.',
    ],
    ['the present time alone', { asOf }, 'There is no condition, so it would be every client.'],
    ['all and a tag', { all: true, tags: ['vip'] }, 'all: true cannot be combined with conditions.'],
    ['not all', { all: false }, 'The condition all is empty or not valid.'],
  ])('throws before anything is read where a condition is %s', (_what, conditions, message) => {
    const select = () => selectClients({} as never, conditions);
    expect(select).toThrow(expect.objectContaining({ code: 'usage', message }));
  });

  it.each([
    ['no conditions', undefined, {}],
    ['null', null, {}],
    ['an unknown option', { withoutTags: ['zz'] }, { qurey: { q: 'an' } }],
    ['a filter that is null', { withoutTags: ['zz'] }, { query: { q: null } }],
  ])('is refused for %s', async (_what, conditions, options) => {
    await using client = openClient('http://127.0.0.1:9');
    const select = () => selectClients(client, conditions as never, options as never);
    expect(select).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it('names the unknown condition and the valid ones', () => {
    const known = ['tags', 'withoutTags', 'blank', 'birthday', 'seenSince', 'notSeenSince', 'asOf', 'all'];
    const select = () => selectClients({} as never, { q: 'an' } as object);
    expect(select).toThrow(expect.objectContaining({ members: { unknown: 'q', known } }));
    expect(select).toThrow(expect.objectContaining({ hint: `Each condition: ${known.join(', ')}.` }));
  });

  it('selects everyone with all: true, and by a filter of the list alone', async () => {
    expect((await select({ clients: people }, { all: true })).ids).toEqual(['a', 'b', 'c']);
    const query = { email: 'ana@x.test' };
    expect((await select({ clients: people }, {}, { query })).ids).toEqual(['a']);
    await expect(select({ clients: people }, {}, { query: { q: '' } })).rejects.toThrow(
      'There is no condition',
    );
  });

  it('reads birthdays without a year, and counts those it cannot read', async () => {
    const clients = ['--11-25', '1990-11-25T00:00:00Z', '25 Nov', ''].map((birthday, id) => ({
      id: `${id}`,
      birthday,
    }));
    const { ids, facts } = await select({ clients }, { birthday: { from: '2026-11-20', to: '2026-11-27' } });
    expect(ids).toEqual(['0', '1']);
    expect([...facts.unreadable]).toEqual([['birthday', 1]]);
  });

  it('counts a limit in matches', async () => {
    const clients = Array.from({ length: 500 }, (_, index) => ({
      id: `${index}`,
      tags: index % 2 ? ['vip'] : [],
    }));
    const { ids } = await select({ clients }, { tags: ['vip'] }, { limit: 120 });
    expect(ids).toEqual(Array.from({ length: 120 }, (_, index) => `${index * 2 + 1}`));
  });

  it('names a tag that nobody has, and a similar one', async () => {
    const { facts } = await select({ clients: people }, { tags: ['vpi'] });
    expect(facts).toMatchObject({
      matches: 0,
      unknownTags: [{ tag: 'vpi', similar: expect.stringMatching(/vip/i) }],
    });
  });

  it.each<[string, ClientConditions]>([
    ['has the value', { tags: ['vip'] }],
    ['lacks the value', { withoutTags: ['vip'] }],
    ['is blank', { blank: ['phone'] }],
    ['is near', { birthday: { from: '2026-11-20', to: '2026-11-27' } }],
  ])('fails where no record has the field: %s', async (_what, conditions) => {
    const error = await refusal(select({ clients: [{ id: '1', name: 'Ana' }] }, conditions));
    expect(error.code).toBe('not_supported');
    expect(error.message).toMatch(
      /^Clients on this server have no (tags|phone|birthday), so nothing can match\.$/,
    );
  });

  it('finds nothing in an empty list, without an error', async () => {
    expect((await select({ clients: [] }, { tags: ['vip'] })).ids).toEqual([]);
  });

  it('reads fields under the names of other servers', async () => {
    const clients = [
      { id: '1', emailAddress: 'ana@x.test', dateOfBirth: '1990-11-25' },
      { id: '2', emailAddress: null, dateOfBirth: '1990-11-25' },
    ];
    const conditions = { blank: ['email'], birthday: { from: '2026-11-25', to: '2026-11-25' } } as const;
    expect((await select({ clients }, conditions)).ids).toEqual(['2']);
  });
});

describe('selectClients by visits', () => {
  const clients = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
  const visit = (client_id: string, start_time: string, status = 'completed') => ({
    id: `${client_id} ${start_time}`,
    client_id,
    start_time,
    status,
  });
  const appointments = [
    visit('a', '2026-11-01T10:00:00Z'),
    visit('b', '2026-05-22T00:00:00Z', 'arrived'),
    visit('b', '2026-05-21T00:00:00Z', 'no_show'),
    visit('c', '2026-11-01T10:00:00Z', 'cancelled'),
    visit('d', '2026-11-01T10:00:00Z', 'confirmed'),
    visit('d', '2026-11-23T10:00:00Z', 'confirmed'),
  ];

  it.each<[string, ClientConditions, string[]]>([
    ['came since an instant, included', { seenSince: '2026-05-22T00:00:00Z' }, ['a', 'b']],
    ['have not', { notSeenSince: '2026-05-22T00:00:00Z' }, ['c', 'd']],
    [
      'came once, but not lately',
      { seenSince: '2026-05-01T00:00:00Z', notSeenSince: '2026-10-01T00:00:00Z' },
      ['b'],
    ],
  ])('finds who %s', async (_what, conditions, ids) => {
    expect((await select({ clients, appointments }, { ...conditions, asOf })).ids).toEqual(ids);
  });

  it('counts who has a past appointment that nobody marked', async () => {
    const conditions = { notSeenSince: '2026-05-22T00:00:00Z', asOf };
    expect((await select({ clients, appointments }, conditions)).facts.unmarked).toBe(1);
  });

  it('agrees with a brute-force model', async () => {
    const statuses = ['completed', 'arrived', 'in_service', 'pending', 'confirmed', 'cancelled', 'no_show'];
    const day = fc
      .integer({ min: 1, max: 28 })
      .map((date) => `2026-11-${String(date).padStart(2, '0')}T09:00:00Z`);
    const one = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), day, fc.constantFrom(...statuses));
    const check = async (all: [string, string, string][], since: string, notSince: string) => {
      const rows = all.map(([id, start, status], index) => ({
        ...visit(id, start, status),
        id: `apt_${index}`,
      }));
      const came = (id: string, from: string) =>
        all.some(
          ([who, start, status]) =>
            who === id && start >= from && start < asOf && statuses.indexOf(status) < 3,
        );
      const expected = clients.map(({ id }) => id).filter((id) => came(id, since) && !came(id, notSince));
      const conditions = { seenSince: since, notSeenSince: notSince, asOf };
      expect((await select({ clients, appointments: rows }, conditions)).ids).toEqual(expected);
    };
    await fc.assert(fc.asyncProperty(fc.array(one, { maxLength: 12 }), day, day, check), { numRuns: 60 });
  });

  it.each([
    ['a status of its own', { status: 'ELSEWHERE' }, 'have the status "ELSEWHERE"'],
    ['no status', { status: undefined }, 'have no status'],
    ['no client', { client_id: undefined }, 'do not show the client'],
    ['no start', { start_time: undefined }, 'do not show when they start'],
  ])('fails where appointments have %s', async (_what, change, reason) => {
    const odd = { ...visit('a', '2026-11-01T10:00:00Z'), ...change };
    const conditions = { notSeenSince: '2026-05-22T00:00:00Z', asOf };
    const error = await refusal(select({ clients, appointments: [odd] }, conditions));
    expect(error.code).toBe('not_supported');
    expect(error.message).toContain(`appointments on this server ${reason}`);
    const rows = [odd, visit('a', '2026-11-02T10:00:00Z'), odd];
    const some = await refusal(
      select({ clients, appointments: rows.map((row, id) => ({ ...row, id })) }, conditions),
    );
    expect(some.message).toContain(`Cannot tell who came: 2 of 3 appointments on this server ${reason}`);
  });

  it('is unverified where nothing proves that these are all visits', async () => {
    const conditions = { notSeenSince: '2026-05-22T00:00:00Z', asOf };
    const { unverified } = await select({ clients, appointments, hasTotals: false }, conditions);
    expect(unverified).toEqual(['the last visit']);
  });
});
