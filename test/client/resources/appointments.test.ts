import { describe, expect, it } from 'vitest';
import { json, openMisbehavingServer, problem, type Received } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';

const stored = {
  id: 'apt_1',
  client_id: 'cli_1',
  status: 'confirmed',
  room: 'blue',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
};

/** A server with only the documented endpoints: lists and POST. */
function documented({ method, path }: Received) {
  const isList = method === 'GET' && path === '/api/v1/appointments';
  return isList
    ? json({ data: [stored], pagination: { page: 1, per_page: 200, total: 1 } })
    : json({}, { status: 404 });
}

describe('an update of an appointment', () => {
  it('sends the whole record with its entity tag', async () => {
    await using server = await openMisbehavingServer(({ method: verb }) =>
      json(verb === 'PUT' ? { ...stored, status: 'arrived' } : stored, { headers: { etag: '"1"' } }),
    );
    await using client = openClient(server.origin);
    await client.appointments.update('apt_1', { status: 'arrived' });
    const { method, path, headers, body } = server.received.at(-1) ?? {};
    expect([method, path, headers?.['if-match']]).toEqual(['PUT', '/api/v1/appointments/apt_1', '"1"']);
    const { id: _id, ...sent } = { ...stored, status: 'arrived' };
    expect(JSON.parse(body ?? '')).toEqual(sent);
  });

  it('names an endpoint the server does not support', async () => {
    await using server = await openMisbehavingServer(documented);
    await using client = openClient(server.origin);
    expect(await refusal(client.appointments.update('apt_1', { status: 'arrived' }))).toMatchObject({
      code: 'not_supported',
      message: 'This server does not support PUT /appointments/:id.',
    });
  });
});

describe('a cancellation', () => {
  it.each([
    [undefined, ''],
    ['ill', '{"cancellation_reason":"ill"}'],
  ])('with the reason %s sends the body %j and a key', async (reason, body) => {
    await using server = await openMisbehavingServer(() =>
      json({ ...stored, status: 'cancelled', cancellation_reason: reason }),
    );
    await using client = openClient(server.origin);
    const written = await client.appointments.cancel('apt_1', { reason, ifMatch: '"1"' });
    expect(written).toMatchObject({ outcome: 'done', id: 'apt_1', record: { status: 'cancelled' } });
    expect(server.received).toMatchObject([
      { method: 'POST', path: '/api/v1/appointments/apt_1/cancel', body },
    ]);
    expect(server.received[0]?.headers).toMatchObject({
      'if-match': '"1"',
      'idempotency-key': expect.any(String),
    });
  });

  it('passes on the error of the server', async () => {
    const members = { current_status: 'completed', allowed_statuses: [] };
    await using server = await openMisbehavingServer(() =>
      problem(409, 'invalid_status_transition', members),
    );
    await using client = openClient(server.origin);
    expect(await refusal(client.appointments.cancel('apt_1'))).toMatchObject({
      code: 'invalid_status_transition',
      members,
    });
  });

  it('names an endpoint the server does not support', async () => {
    await using server = await openMisbehavingServer(documented);
    await using client = openClient(server.origin);
    expect(await refusal(client.appointments.cancel('apt_1'))).toMatchObject({
      code: 'not_supported',
      message: 'This server does not support POST /appointments/:id/cancel.',
    });
  });

  it.each(['..', ''])('of %j is rejected before anything is sent', async (id) => {
    await using client = openClient('http://127.0.0.1:9');
    expect(await refusal(client.appointments.cancel(id))).toMatchObject({ code: 'usage' });
  });
});
