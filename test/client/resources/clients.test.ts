import { describe, expect, it } from 'vitest';
import {
  body,
  html,
  json,
  openMisbehavingServer,
  type Received,
  type Reply,
} from '../../support/misbehaving-server.ts';
import { openClient, refusal, type TestClient } from '../../support/open-client.ts';

const stored = {
  id: 'cli_1',
  first_name: 'Ada',
  phone: '+4912345678',
  shoe_size: 38,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
};

/** A server on which PUT replaces the whole record. */
function replacing() {
  let record: Record<string, unknown> = stored;
  return ({ method, body: sent }: Received): Reply => {
    if (method === 'PUT') record = { ...JSON.parse(sent), id: 'cli_1' };
    return json(record);
  };
}

describe('an update', () => {
  it('keeps other fields on a server that replaces records', async () => {
    await using server = await openMisbehavingServer(replacing());
    await using client = openClient(server.origin);
    const { record } = await client.clients.update('cli_1', { first_name: 'Grace', phone: null });
    expect(record).toEqual({ ...stored, first_name: 'Grace', phone: null });
  });

  it('does not send the ID, links, and what the dialect calls read-only', async () => {
    const linked = { ...stored, _links: { self: {} }, '@odata.etag': '"1"', version: 3 };
    await using server = await openMisbehavingServer(({ method }) =>
      json(method === 'PUT' ? { ...linked, first_name: 'Grace' } : linked),
    );
    await using client = openClient(server.origin, { dialect: { readOnlyFields: ['version'] } });
    await client.clients.update('cli_1', { first_name: 'Grace' });
    const { id: _id, ...sent } = { ...stored, first_name: 'Grace' };
    expect(JSON.parse(server.received.at(-1)?.body ?? '')).toEqual(sent);
  });

  it.each([
    ['PATCH', '/api/v1/clients/7', 'application/json', '{"notes":"a"}'],
    ['POST', '/api/v1/clients/7', 'application/x-www-form-urlencoded', 'notes=a'],
  ] as const)('of a server that merges sends the changes by %s alone', async (method, path, type, sent) => {
    const bodyFormat = method === 'POST' ? 'form' : 'json';
    await using server = await openMisbehavingServer(() => json({ id: 7, notes: 'a' }));
    await using client = openClient(server.origin, {
      dialect: { updateMethod: method, partialUpdates: true, bodyFormat },
    });
    expect(await client.clients.update('7', { notes: 'a' })).toMatchObject({ id: '7', outcome: 'done' });
    expect(server.received).toMatchObject([{ method, path, headers: { 'content-type': type }, body: sent }]);
  });

  it('sends only its changes if it is partial', async () => {
    await using server = await openMisbehavingServer(replacing());
    await using client = openClient(server.origin);
    await client.clients.update('cli_1', { first_name: 'Grace' }, { partial: true });
    expect(server.received.map(({ method, body: sent }) => [method, sent])).toEqual([
      ['PUT', '{"first_name":"Grace"}'],
    ]);
  });

  it('writes a member named __proto__ back unchanged', async () => {
    const hostile = '{"id": "cli_1", "__proto__": {"polluted": 1}';
    await using server = await openMisbehavingServer(({ method }) =>
      body(method === 'PUT' ? `${hostile}, "first_name": "Grace"}` : `${hostile}}`),
    );
    await using client = openClient(server.origin);
    await client.clients.update('cli_1', { first_name: 'Grace' });
    expect(server.received.at(-1)?.body).toBe('{"__proto__":{"polluted":1},"first_name":"Grace"}');
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('a new record', () => {
  const record = { id: 'cli_9', last_name: 'Ng' };
  const numbered = { id: 9, last_name: 'Ng' };
  const location = { location: '/api/v1/clients/cli_9?x=1' };
  it.each([
    ['bare', json(record, { status: 201 }), { outcome: 'done', id: 'cli_9', record }],
    ['with 200', json(record), { outcome: 'done', id: 'cli_9', record }],
    ['under data', json({ data: record }, { status: 201 }), { outcome: 'done', id: 'cli_9', record }],
    ['under its name', json({ client: record }, { status: 201 }), { outcome: 'done', id: 'cli_9', record }],
    ['with a numeric ID', json(numbered, { status: 201 }), { outcome: 'done', id: '9', record: numbered }],
    [
      'with only a Location',
      body('', { status: 201, headers: location }),
      { outcome: 'done', id: 'cli_9', record },
    ],
    [
      'accepted for later',
      json({ status: 'queued' }, { status: 202 }),
      { outcome: 'accepted', id: undefined, record: { status: 'queued' } },
    ],
    ['without a word', body('', { status: 204 }), { outcome: 'accepted', id: undefined, record: undefined }],
  ])('is parsed %s', async (_form, reply, written) => {
    await using server = await openMisbehavingServer(({ method }) =>
      method === 'GET' ? json(record) : reply,
    );
    await using client = openClient(server.origin);
    expect(await client.clients.create({ last_name: 'Ng' })).toEqual(written);
  });

  it('with a web page as the response is an error despite its status', async () => {
    await using server = await openMisbehavingServer(() => html('Welcome'));
    await using client = openClient(server.origin);
    expect(await refusal(client.clients.create({}))).toMatchObject({
      code: 'unexpected_response',
      status: 200,
    });
  });
});

describe('a deletion', () => {
  it.each([200, 202, 204])('succeeds with %i', async (status) => {
    await using server = await openMisbehavingServer(() => body('', { status }));
    await using client = openClient(server.origin);
    await client.clients.delete('cli_1', { force: true });
    expect(server.received[0]).toMatchObject({ method: 'DELETE', path: '/api/v1/clients/cli_1' });
    expect(server.received[0]?.query.get('force')).toBe('true');
  });
});

describe('a single record', () => {
  it.each([
    ['bare', { id: 'cli_1', data: { id: 'x' } }, { id: 'cli_1', data: { id: 'x' } }],
    ['under data', { data: { id: 'cli_1' } }, { id: 'cli_1' }],
    ['under its name', { client: { id: 'cli_1' } }, { id: 'cli_1' }],
  ])('is read %s', async (_form, response, record) => {
    await using server = await openMisbehavingServer(() => json(response));
    await using client = openClient(server.origin);
    expect(await client.clients.get('cli_1')).toEqual(record);
  });

  it.each([[[]], ['cli_1'], [null]])('is missing in %j', async (response) => {
    await using server = await openMisbehavingServer(() => json(response));
    await using client = openClient(server.origin);
    expect((await refusal(client.clients.get('cli_1'))).code).toBe('unexpected_response');
  });
});

describe('a server that finds records by a filter', () => {
  const dialect = { prefix: '', itemPath: '/{resource}?id=eq.{id}', partialUpdates: true };

  it('has a record in an array of one', async () => {
    await using server = await openMisbehavingServer(() => json([{ id: 7, notes: 'a' }]));
    await using client = openClient(server.origin, { dialect });
    expect(await client.clients.get('7')).toEqual({ id: 7, notes: 'a' });
    expect(server.received).toMatchObject([{ path: '/clients', query: new URLSearchParams('id=eq.7') }]);
  });

  it.each([
    ['get', (client: TestClient) => client.clients.get('7')],
    ['update', (client: TestClient) => client.clients.update('7', { notes: 'a' })],
    ['delete', (client: TestClient) => client.clients.delete('7')],
  ])('does not find a record if it answers %s with an empty array', async (_what, call) => {
    await using server = await openMisbehavingServer(() => json([]));
    await using client = openClient(server.origin, { dialect });
    expect(await refusal(call(client))).toMatchObject({ code: 'not_found', message: 'No client with ID 7.' });
  });

  it('is not understood if it answers with several records', async () => {
    await using server = await openMisbehavingServer(() => json([{ id: 7 }, { id: 8 }]));
    await using client = openClient(server.origin, { dialect });
    expect((await refusal(client.clients.get('7'))).code).toBe('unexpected_response');
  });
});

it('does not find the rest of a deleted record, as Stripe sends it', async () => {
  await using server = await openMisbehavingServer(() =>
    json({ id: 'cus_1', object: 'customer', deleted: true }),
  );
  await using client = openClient(server.origin);
  expect((await refusal(client.clients.get('cus_1'))).code).toBe('not_found');
});

it('is not understood if the server answers with another record', async () => {
  await using server = await openMisbehavingServer(() => json({ id: 'cli_2' }));
  await using client = openClient(server.origin);
  expect(await refusal(client.clients.get('cli_1'))).toMatchObject({
    code: 'unexpected_response',
    message: 'The server responded with client cli_2 instead of client cli_1.',
  });
});

it.each([
  ['7', { id: 7 }],
  ['ab-1', { id: 'AB-1' }],
  ['cli_1', { first_name: 'Ada' }],
])('is found as %s if the server answers with %j', async (id, record) => {
  await using server = await openMisbehavingServer(() => json(record));
  await using client = openClient(server.origin);
  expect(await client.clients.get(id)).toMatchObject(record);
});
