import { describe, expect, it } from 'vitest';
import {
  describeCollection,
  type RecognisedServer,
  recogniseServer,
} from '../../../src/client/recognise/recognise-server.ts';
import {
  json,
  type MisbehavingServer,
  openMisbehavingServer,
  type Received,
  type Reply,
} from '../../support/misbehaving-server.ts';
import { openClient } from '../../support/open-client.ts';

interface Row {
  readonly id: string;
  readonly [field: string]: string;
}

const clients: readonly Row[] = Array.from({ length: 12 }, (_, index) => ({
  id: `c${index}`,
  first_name: ['Ana', 'Ben', 'Cleo', 'Dora'][index % 4] ?? '',
  email: `client${index}@salon.test`,
  updated_at: `2026-03-0${(index % 9) + 1}T08:00:00Z`,
}));
const appointments: readonly Row[] = Array.from({ length: 12 }, (_, index) => ({
  id: `a${index}`,
  client_id: `c${index % 5}`,
  status: ['confirmed', 'completed', 'cancelled'][index % 3] ?? '',
  start_time: `2026-03-0${Math.floor(index / 3) + 1}T${10 + (index % 3)}:00:00Z`,
}));

/** Whether a row passes what a query says; undefined where the server does not know the parameter. */
type Filter = (row: Row, name: string, value: string) => boolean | undefined;

interface ServerOptions {
  readonly filter: Filter;
  /** What the server does with a parameter that it does not know. */
  readonly otherwise?: 'ignores' | 'finds nothing' | 'refuses';
  readonly lists?: Readonly<Record<string, readonly Row[]>>;
  /** Replies to requests with parameters otherwise. */
  readonly intercept?: (request: Received) => Reply | undefined;
}

/** A server without pages, whose lists come whole. */
function openServer({
  filter,
  otherwise = 'ignores',
  lists = { clients, appointments },
  intercept,
}: ServerOptions) {
  return openMisbehavingServer((request) => {
    const rows = lists[request.path.slice(1)];
    if (rows === undefined) return json({}, { status: 404 });
    const query = [...request.query].filter(([name]) => !/^(?:page|offset|limit)$/.test(name));
    const instead = query.length > 0 ? intercept?.(request) : undefined;
    if (instead !== undefined) return instead;
    const results = rows.map((row) => query.map(([name, value]) => filter(row, name, value)));
    if (otherwise === 'refuses' && results[0]?.includes(undefined)) return json({}, { status: 400 });
    const unknown = otherwise !== 'finds nothing';
    return json(rows.filter((_row, index) => results[index]?.every((result) => result ?? unknown)));
  });
}

/** A server's filters by the names of their parameters, with `gte` and `lt`. */
function byNames(equal: string, range: string): Filter {
  return (row, name, value) => {
    for (const [field, own] of Object.entries(row)) {
      const at = (template: string, operator: string) =>
        template.replace('*', field).replace('gte', operator);
      if (name === at(equal, '')) return own === value;
      if (!/(?:_at|_time)$/.test(field)) continue;
      if (name === at(range, 'gte')) return Date.parse(own) >= Date.parse(value);
      if (name === at(range, 'lt')) return Date.parse(own) < Date.parse(value);
    }
    return undefined;
  };
}

async function recognise(server: MisbehavingServer): Promise<RecognisedServer & { readonly text: string }> {
  await using client = openClient(server.origin, { dialect: { prefix: '' }, retries: 0 });
  const found = await recogniseServer(client, { root: '' });
  if (found === undefined) throw new Error('There are no clients.');
  return { ...found, text: found.collections.map(describeCollection).join('\n') };
}

/** The most requests that one list got. */
function countMost({ received }: MisbehavingServer): number {
  return Math.max(
    ...Object.values(Object.groupBy(received, ({ path }) => path)).map((some) => some?.length ?? 0),
  );
}

const forms = [
  ['*', '*__gte'],
  ['*', '*[$gte]'],
  ['*', '*_gte'],
  ['*', '*:gte'],
  ['*', '*[gte]'],
  ['filter[where][*]', 'filter[where][*][gte]'],
  ['filters[*][$eq]', 'filters[*][$gte]'],
] as const;
const manners = ['ignores', 'finds nothing', 'refuses'] as const;

describe('filters', () => {
  describe.each(forms)('written as %s and %s', (equal, range) => {
    it.each(manners)('are recognised on a server that %s others', async (otherwise) => {
      await using server = await openServer({ filter: byNames(equal, range), otherwise });
      const { differences } = await recognise(server);
      const name = (field: string) => equal.replace('*', field);
      // Where every guess costs a request, not all are found out; but what is said is right.
      const expected = {
        email: name('email'),
        client_id: name('client_id'),
        status: name('status'),
        start_time_from: range.replace('*', 'start_time'),
        start_time_to: range.replace('*', 'start_time').replace('gte', 'lt'),
      };
      const { filterNames = {} } = differences;
      const found = Object.entries(expected).filter(([filter]) => typeof filterNames[filter] === 'string');
      expect(filterNames).toMatchObject(Object.fromEntries(found));
      // The last form is not reached where paging has cost most requests.
      const isLate = otherwise === 'finds nothing' && equal.startsWith('filters');
      expect(filterNames['email']).toBe(isLate ? undefined : expected.email);
      if (otherwise === 'ignores') expect(found.length).toBeGreaterThanOrEqual(4);
      expect(countMost(server)).toBeLessThanOrEqual(12);
      expect(new Set(server.received.map(({ method }) => method))).toEqual(new Set(['GET']));
    });
  });

  it('of the documented names are recognised', async () => {
    const filter: Filter = (row, name, value) => {
      if (name === 'email' || name === 'status' || name === 'client_id') return row[name] === value;
      if (name === 'start_time_from') return Date.parse(row['start_time'] ?? '') >= Date.parse(value);
      return name === 'q' ? row['first_name']?.toLowerCase().includes(value) : undefined;
    };
    await using server = await openServer({ filter });
    const { differences, text } = await recognise(server);
    const found = { email: 'email', client_id: 'client_id', status: 'status', q: 'q' };
    expect(differences.filterNames).toMatchObject({ ...found, start_time_from: 'start_time_from' });
    expect(differences.filterNames).toMatchObject({ start_time_to: null });
    expect(text).toContain('It filters by client_id, status, start_time_from.');
    expect(text).toContain('Rows are filtered here by start_time_to.');
    expect(text).toContain('Nothing shows whether it filters by stylist_id');
  });

  it('that two lists write in two ways are declared for each', async () => {
    const [plain, nested] = [byNames('*', '*__gte'), byNames('filter[where][*]', 'filter[where][*][gte]')];
    const lists = {
      clients,
      appointments: appointments.map((row) => ({ ...row, email: `${row.id}@x.test` })),
    };
    const filter: Filter = (row, ...query) => ('client_id' in row ? nested : plain)(row, ...query);
    await using server = await openServer({ filter, lists });
    const { differences } = await recognise(server);
    expect(differences.filterNames).toMatchObject({ email: 'email' });
    expect(
      Object.values({ ...differences.filterNames, ...differences.lists?.['appointments']?.filterNames }),
    ).not.toContain('client_id');
  });
});

const everything = byNames('*', '*__gte');

describe('a filter is not declared', () => {
  it.each<readonly [string, Partial<ServerOptions>]>([
    ['every probe gets 200 and []', { intercept: () => json([]) }],
    ['every probe gets a total of 0', { intercept: () => json({ data: [], total: 0 }) }],
    ['every probe gets all rows', { filter: () => true }],
    ['every probe gets one row, whatever it asks', { intercept: () => json(clients.slice(3, 4)) }],
    [
      'every probe gets rows that are not in the list',
      { intercept: () => json([{ id: 'x', email: 'x@y.test' }]) },
    ],
    [
      'it loses rows that match',
      { filter: (row, ...query) => row.id !== 'a2' && row.id !== 'c0' && everything(row, ...query) },
    ],
  ])('where %s', async (_case, options) => {
    await using server = await openServer({ filter: everything, ...options });
    const { differences, text } = await recognise(server);
    const { email, client_id: client } = {
      ...differences.filterNames,
      ...differences.lists?.['appointments']?.filterNames,
    };
    expect([null, undefined]).toContain(email);
    expect([null, undefined]).toContain(client);
    expect(text).toMatch(/(?:Rows are filtered here|Nothing shows whether it filters) by [^.]*email/);
    expect(countMost(server)).toBeLessThanOrEqual(12);
  });

  it.each<readonly [string, Filter]>([
    ['that compares days', byTexts((text) => text.slice(0, 10))],
    [
      'that compares texts of other lengths',
      byTexts((text, isOwn) => (isOwn ? text.replace('Z', '.000Z') : text)),
    ],
    [
      'up to and with a time',
      (row, name, value) => (name === 'start_time__lt' ? (row['start_time'] ?? '') <= value : undefined),
    ],
  ])('for times %s', async (_case, filter) => {
    await using server = await openServer({ filter });
    const { differences } = await recognise(server);
    expect(differences.filterNames).toMatchObject({ start_time_to: null });
  });

  it.each<readonly [string, readonly Row[]]>([
    ['is empty', []],
    ['has one row', appointments.slice(0, 1)],
    ['has the same value in all rows', appointments.map((row) => ({ ...row, client_id: 'c1' }))],
  ])('where a list %s', async (_case, rows) => {
    await using server = await openServer({ filter: everything, lists: { clients, appointments: rows } });
    const { differences } = await recognise(server);
    expect(differences.filterNames).toMatchObject({ email: 'email' });
    expect(differences.filterNames).not.toHaveProperty('client_id');
    expect(differences.lists?.['appointments']?.filterNames).toBeUndefined();
  });
});

/** Filters that compare times as text. */
function byTexts(toText: (text: string, isOwn: boolean) => string): Filter {
  return (row, name, value) => {
    const [own, bound] = [toText(row['start_time'] ?? '', true), toText(value, false)];
    if (name === 'start_time__gte') return own >= bound;
    return name === 'start_time__lt' ? own < bound : undefined;
  };
}

describe('a server that forbids to be asked', () => {
  it.each([403, 429, 503])('with %i is asked no more, and recognised otherwise', async (status) => {
    await using server = await openServer({
      filter: everything,
      intercept: ({ query }) => (query.has('email') ? json({ message: 'Enough' }, { status }) : undefined),
    });
    const { differences, text } = await recognise(server);
    expect(differences).toMatchObject({ prefix: '', rowsKey: null });
    expect(differences).not.toHaveProperty('filterNames');
    expect(text).toContain('No more was asked about filters: Enough');
    const refused = server.received.findIndex(({ query }) => query.has('email'));
    expect(refused).toBe(server.received.length - 1);
  });
});
