import { describe, expect, it } from 'vitest';
import { json, openMisbehavingServer, problem, type Reply } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';

const bookings = ['09', '10'].map((hour) => ({
  ...{ client_id: 'cli_1', stylist_id: 'sty_1', service: 'Cut', duration: 60 },
  start_time: `2031-01-07T${hour}:00:00Z`,
}));

const made = { id: 'apt_1', status: 'confirmed' };
const taken = { status: 409, code: 'appointment_conflict', detail: 'Mia is busy.', stylist_name: 'Mia' };

async function book(reply: Reply, options = {}) {
  await using server = await openMisbehavingServer(() => reply);
  await using client = openClient(server.origin, {
    explain: (error) => Object.assign(error, { message: `${error.message} Really.` }),
  });
  const results = await client.appointments
    .createMany(bookings, options)
    .catch((thrown: unknown) => ({ thrown }));
  return { results, received: server.received };
}

describe('createMany', () => {
  it('sends all bookings in one request, with a key', async () => {
    const data = [
      { appointment: made, problem: null },
      { appointment: null, problem: taken },
    ];
    const reply = json({ data }, { status: 201 });
    const { results, received } = await book(reply, { onConflict: 'skip', idempotencyKey: 'spring' });
    expect(results).toMatchObject([
      { appointment: made },
      {
        problem: {
          code: 'appointment_conflict',
          message: 'Mia is busy. Really.',
          members: { stylist_name: 'Mia' },
        },
      },
    ]);
    expect(received).toMatchObject([
      { method: 'POST', path: '/api/v1/appointments/batch', headers: { 'idempotency-key': 'spring' } },
    ]);
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ bookings, on_conflict: 'skip' });
  });

  it('gives each booking of a refused batch its own problem, or says that another was refused', async () => {
    const reply = problem(409, 'bookings_refused', { problems: [null, taken] });
    expect((await book(reply)).results).toMatchObject([
      {
        problem: {
          code: 'bookings_refused',
          message: 'Not booked, because another one was refused. Really.',
        },
      },
      { problem: { code: 'appointment_conflict', message: 'Mia is busy. Really.' } },
    ]);
  });

  it('throws what concerns all of them', async () => {
    const { results } = await book(problem(403, 'permission_denied'));
    expect(results).toMatchObject({ thrown: { code: 'permission_denied' } });
  });

  it.each([
    ['nothing', {}],
    ['one of two results', { data: [{ appointment: made }] }],
    ['a result that is neither', { data: [{ appointment: made }, {}] }],
  ])('does not know what happened when a success has %s', async (_, body) => {
    const { results } = await book(json(body, { status: 201 }));
    expect(results).toMatchObject({ thrown: { code: 'unexpected_response', members: { in_doubt: true } } });
  });

  it('is not tried where the server does not say that it can, nor on one of another kind', async () => {
    await using server = await openMisbehavingServer(({ path }) =>
      path.endsWith('/me') ? json({ account: { id: 'acc_1' } }) : json({}, { status: 404 }),
    );
    await using client = openClient(server.origin);
    expect(await client.appointments.canCreateMany()).toBe(false);
    await using foreign = openClient(server.origin, { dialect: { paging: 'page' } });
    const asked = server.received.length;
    expect(await foreign.appointments.canCreateMany()).toBe(false);
    expect(await refusal(foreign.appointments.createMany(bookings))).toMatchObject({ code: 'not_supported' });
    expect(server.received).toHaveLength(asked);
  });
});
