import { describe, expect, it } from 'vitest';
import type { FindOptions } from '../../../src/client/references/matches.ts';
import { createPersonFinder } from '../../../src/client/references/person-finder.ts';
import { json, openMisbehavingServer, type Received, type Reply } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openSharedService } from '../../support/service.ts';

interface Named {
  readonly first_name?: string;
  readonly last_name?: string;
  readonly email?: string;
  readonly phone?: string;
}

const people: readonly Named[] = [
  { first_name: 'Ana', last_name: 'Costa', email: 'ana@example.com', phone: '+442079460018' },
  { first_name: 'Ana', last_name: 'Costa', email: 'other@example.com', phone: '+33639981111' },
  { first_name: 'Oliver', last_name: 'Walker', email: 'o.walker@example.com', phone: '+491711234567' },
  { first_name: 'Olivia', last_name: 'Walker', phone: '+442079460018' },
  { first_name: 'Juliana', last_name: 'Costa', phone: '+351911118765' },
  { first_name: '小明', last_name: '王' },
];

/** Finds in a salon of ours, and counts the requests that this takes. */
async function findOnOurs(reference: string, options?: FindOptions) {
  await using salon = await openSalon(people);
  const before = salon.countRequests();
  const found = await createPersonFinder(salon.client).findClients(reference, options);
  return { ...summarize(found), requests: salon.countRequests() - before };
}

async function openSalon(clients: readonly Named[]) {
  await using stack = new AsyncDisposableStack();
  const service = await openSharedService({ clients: 0 });
  const credential = { kind: 'bearer', token: service.keys.owner } as const;
  const client = stack.use(openClient(service.origin, { credential }));
  for (const [index, person] of clients.entries())
    await client.clients.create(person, { idempotencyKey: `client-${index}` });
  const kept = stack.move();
  return {
    client,
    countRequests: () => client.events.filter(({ type }) => type === 'request').length,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function summarize(found: readonly { name: string; isExact: boolean }[]) {
  return {
    exact: found.filter(({ isExact }) => isExact).map(({ name }) => name),
    others: found.filter(({ isExact }) => !isExact).map(({ name }) => name),
  };
}

describe('a reference to a client of our service', () => {
  it.each([
    { reference: 'walker oliver', exact: ['Oliver Walker'], others: [] },
    { reference: 'Walker,  OLIV', exact: [], others: ['Oliver Walker', 'Olivia Walker'] },
    { reference: 'ÁNA cos', exact: [], others: ['Ana Costa', 'Ana Costa', 'Juliana Costa'] },
    { reference: '0171 1234567', exact: ['Oliver Walker'], others: [] },
    { reference: 'Ana Costa', exact: ['Ana Costa', 'Ana Costa'], others: ['Juliana Costa'] },
    { reference: 'OTHER@example.com', exact: ['Ana Costa'], others: [] },
    { reference: '+44 20 7946 0018', exact: ['Ana Costa', 'Olivia Walker'], others: [] },
    { reference: '1111', exact: [], others: ['Ana Costa', 'Juliana Costa'] },
    { reference: '王小明', exact: ['小明 王'], others: [] },
    { reference: '8765', exact: [], others: ['Juliana Costa'] },
    { reference: 'Nobody', exact: [], others: [] },
    { reference: 'cli_ana', exact: [], others: [] },
  ])('"$reference" takes one request', async ({ reference, exact, others }) => {
    expect(await findOnOurs(reference)).toEqual({ exact, others, requests: 1 });
  });

  it('costs no request if it is an ID', async () => {
    const id = 'cli_01jd8m2v3q4r5s6t7v8w9x0y1z';
    expect(await findOnOurs(id)).toEqual({ exact: [id], others: [], requests: 0 });
  });

  it('finds the first clients if it is empty', async () => {
    const found = await findOnOurs(' ', { limit: 2, stopsAtLimit: true });
    expect(found.others).toEqual(['Ana Costa', 'Ana Costa']);
  });

  it('counts exact matches on later pages', async () => {
    const numbered = Array.from({ length: 205 }, (_, number) => ({ first_name: `Ana ${number}` }));
    await using salon = await openSalon([{ first_name: 'Ana' }, ...numbered, { first_name: 'ANA' }]);
    const found = await createPersonFinder(salon.client).findClients('ana', { limit: 3 });
    expect(summarize(found)).toEqual({ exact: ['Ana', 'ANA'], others: ['Ana 0'] });
  });
});

describe('an impossible reference', () => {
  it.each(['.', '..', 'a/b', 'Ana?', '#1', '50%', 'a\\b', 'x'.repeat(201)])(
    '"%s" is refused',
    async (text) => {
      await using client = openClient('http://127.0.0.1:9');
      const finder = createPersonFinder(client);
      expect(await refusal(finder.findClients(text))).toMatchObject({ code: 'usage' });
      expect(await refusal(finder.findStylists(text))).toMatchObject({ code: 'usage' });
    },
  );

  it('is an ID of something else', async () => {
    await using client = openClient('http://127.0.0.1:9');
    const id = 'apt_01jd8m2v3q4r5s6t7v8w9x0y1z';
    const { message } = await refusal(createPersonFinder(client).findClients(id));
    expect(message).toBe(`${id} is the ID of an appointment, not of a client.`);
  });
});

/** A server of another kind with IDs of its own. Its search, if it has one, wants the whole first name. */
function elsewhere(search: 'none' | 'by first name' | 'refused', rows: readonly object[] = numbered) {
  return ({ path, query }: Received): Reply => {
    const [, noun, id] = /^\/api\/v1\/(\w+)(?:\/(.+))?$/.exec(path) ?? [];
    const q = query.get('q');
    if (noun !== 'clients') return json({ message: 'no such page' }, { status: 404 });
    if (id !== undefined) {
      const row = rows.find((one) => String((one as { id: unknown }).id) === id);
      return row === undefined ? json({ message: 'not found' }, { status: 404 }) : json(row);
    }
    if (q !== null && search === 'refused') return json({ message: 'unknown parameter q' }, { status: 400 });
    const isFound = (row: object) => q === null || search === 'none' || Object.values(row).includes(q);
    const data = rows.filter(isFound);
    return json({ data, pagination: { page: 1, per_page: 200, total: data.length } });
  };
}

const numbered = [
  { id: 17, firstName: 'Lucía', lastName: 'Gómez', phoneNumber: '0171 1234567' },
  { id: 18, firstName: '17', lastName: '', phoneNumber: '+49 171 1234567' },
  { id: 19, firstName: 'Lucia', lastName: 'Gomez' },
];

async function findElsewhere(reference: string, script: (request: Received) => Reply, isWrite = false) {
  await using server = await openMisbehavingServer(script);
  await using client = openClient(server.origin, { dialect: { totalKey: 'pagination.total' } });
  const found = await createPersonFinder(client).findClients(reference, { isWrite });
  return found.map(({ id, isExact }) => ({ id, isExact }));
}

describe('a reference to a client of another server', () => {
  it.each(['none', 'by first name', 'refused'] as const)(
    'is an ID before it is a name (search: %s)',
    async (search) => {
      expect(await findElsewhere('17', elsewhere(search))).toEqual([{ id: '17', isExact: true }]);
    },
  );

  it.each(['none', 'by first name', 'refused'] as const)(
    'is found in the whole list (search: %s)',
    async (search) => {
      expect(await findElsewhere('gomez lucia', elsewhere(search))).toEqual([
        { id: '17', isExact: true },
        { id: '19', isExact: true },
      ]);
      expect(await findElsewhere('0171 / 1234567'.replace('/', ''), elsewhere(search))).toEqual([
        { id: '17', isExact: true },
        { id: '18', isExact: true },
      ]);
    },
  );

  it('is left to the search of the server unless the result decides what is changed', async () => {
    const search = elsewhere('by first name', [
      { id: 1, name: 'Ana Costa' },
      { id: 2, name: 'Ána Costa' },
    ]);
    expect(await findElsewhere('Ana Costa', search)).toEqual([{ id: '1', isExact: true }]);
    expect(await findElsewhere('Ana Costa', search, true)).toHaveLength(2);
  });

  it('fails if the server fails', async () => {
    const broken = () => json({ message: 'down' }, { status: 403 });
    await using server = await openMisbehavingServer(broken);
    await using client = openClient(server.origin);
    expect(await refusal(createPersonFinder(client).findClients('Ana'))).toMatchObject({ status: 403 });
  });
});

describe('a reference to a stylist', () => {
  it('is a display name, a full name or a first name', async () => {
    await using salon = await openSalon([]);
    const { client } = salon;
    await client.stylists.create({ first_name: 'Zélie', last_name: 'Quist', display_name: 'Zee Q.' });
    const finder = createPersonFinder(client);
    for (const reference of ['zelie', 'Quist Zélie', 'ZEE q'])
      expect(summarize(await finder.findStylists(reference))).toEqual({ exact: ['Zee Q.'], others: [] });
    expect(summarize(await finder.findStylists('quis'))).toEqual({ exact: [], others: ['Zee Q.'] });
  });

  it('is taken as an ID by a server without a list of stylists', async () => {
    await using server = await openMisbehavingServer(elsewhere('none'));
    await using client = openClient(server.origin);
    const finder = createPersonFinder(client);
    expect(await finder.findStylists('sty_a')).toMatchObject([{ id: 'sty_a', isExact: true }]);
    expect(await refusal(finder.findStylists('Mia Q'))).toMatchObject({ code: 'not_supported' });
  });
});
