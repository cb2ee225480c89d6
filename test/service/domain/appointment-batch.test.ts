import { describe, expect, it } from 'vitest';
import type { BodyOf } from '../../../src/contract/endpoints.ts';
import { type Problem, problems, type SalonError } from '../../../src/contract/errors.ts';
import { createAppointmentBatch } from '../../../src/service/domain/appointment-batch.ts';
import { cancelAppointment, listAppointments } from '../../../src/service/domain/appointments.ts';
import { deleteClient } from '../../../src/service/domain/clients.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import { createIdempotency } from '../../../src/service/domain/idempotency.ts';
import { toStorageQuota } from '../../../src/service/domain/limits.ts';
import { checkDatabase } from '../../../src/service/maintenance/check.ts';
import { readLog } from '../../support/delivery-log.ts';
import { addWebhook } from '../../support/event-log.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';
import { listTables } from '../../support/salon-state.ts';

type Booking = BodyOf<'createAppointment'>;

const toProblem = ({ code, message, violations, members }: SalonError): Problem =>
  ({ code, detail: message, errors: violations, ...members }) as unknown as Problem;

async function openSalon() {
  const salon = await openTestSalon();
  const who = {
    client_id: await salon.addClient({ first_name: 'Ana' }),
    stylist_id: await salon.addStylist(),
  };
  const at = (hour: string, change: Partial<Booking> = {}): Booking => ({
    ...{ ...who, service: 'Cut', start_time: `2026-12-01T${hour}:00Z`, duration: 60 },
    ...change,
  });
  const book = (
    bookings: readonly Booking[],
    { rights = {}, ...how }: Partial<BodyOf<'createAppointments'>> & { rights?: object } = {},
  ) => createAppointmentBatch(salon.as(rights), { bookings: [...bookings], ...how }, toProblem);
  return { salon, who, at, book, [Symbol.asyncDispose]: () => salon[Symbol.asyncDispose]() };
}

async function readStarts(salon: TestSalon): Promise<string[]> {
  const { dataJson } = await listAppointments(salon.as(), { sort: 'start_time' });
  return JSON.parse(dataJson.toString()).map((one: Booking) => one.start_time.slice(11, 16));
}

/** The rows of every table. */
async function readRows({ store }: TestSalon): Promise<string> {
  const tables = await listTables(store.database);
  const rows = await Promise.all(
    tables.map((name) => store.database.reader.run(`select * from ${name}`, [])),
  );
  return JSON.stringify(rows);
}

describe('a batch of bookings', () => {
  it('makes each in order, with the event of a single one, and leaves no faults', async () => {
    await using world = await openSalon();
    const { salon, at, book } = world;
    const webhookId = await addWebhook(salon, { events: ['booking.*'] });
    const { data } = await book([at('09:00'), at('11:00', { notes: 'tea' }), at('10:00')]);
    expect(data).toMatchObject([
      { appointment: { start_time: '2026-12-01T09:00:00Z', status: 'confirmed' }, problem: null },
      { appointment: { start_time: '2026-12-01T11:00:00Z', notes: 'tea' }, problem: null },
      { appointment: { start_time: '2026-12-01T10:00:00Z', notes: null }, problem: null },
    ]);
    const events = (await readLog(salon, webhookId)).data.map(({ event }) => event);
    const objects = data.map(({ appointment }) => ({
      type: 'booking.created',
      data: { object: appointment },
    }));
    expect(events).toMatchObject(objects);
    const audited = await salon.store.database.reader.run(
      "select record_id from audit_entries where action = 'appointment.created' order by seq",
      [],
    );
    expect(audited).toEqual(data.map(({ appointment }) => ({ record_id: appointment?.id })));
    const reports = await checkDatabase(salon.store.location);
    expect(reports.flatMap(({ problems: faults }) => faults)).toEqual([]);
  });

  it('writes nothing if one is refused, and says why for each', async () => {
    await using world = await openSalon();
    const { salon, at, book } = world;
    const taken = await salon.addAppointment({
      ...at('10:00'),
      client_id: await salon.addClient({ first_name: 'Ben' }),
    });
    const before = await readRows(salon);
    const refused = book([at('09:00'), at('10:30'), at('12:00'), at('13:00', { client_id: 'cli_x' })]);
    await expect(refused).rejects.toMatchObject({
      code: 'bookings_refused',
      message: '2 of 4 bookings are refused, so none was made.',
      members: {
        problems: [
          null,
          { code: 'appointment_conflict', conflicts: [{ id: taken, client_name: 'Ben' }] },
          null,
          { code: 'validation_failed', errors: [{ pointer: '/client_id', code: 'not_found' }] },
        ],
      },
    });
    expect(await readRows(salon)).toBe(before);
  });

  it('makes the others where refused ones are skipped', async () => {
    await using world = await openSalon();
    const { salon, at, book } = world;
    await salon.addAppointment(at('10:00'));
    const { data } = await book([at('09:00'), at('10:30'), at('12:00')], { on_conflict: 'skip' });
    expect(data).toMatchObject([
      { appointment: {}, problem: null },
      { appointment: null, problem: { code: 'appointment_conflict' } },
      { appointment: {}, problem: null },
    ]);
    expect(await readStarts(salon)).toEqual(['09:00', '10:00', '12:00']);
  });

  it('checks each against those before it, and names these by their number', async () => {
    await using world = await openSalon();
    const { salon, at, book } = world;
    const twice = [at('09:00'), at('12:00'), at('12:30')];
    const conflict = {
      code: 'appointment_conflict',
      detail: 'Sam is already booked at that time (booking 2).',
      conflicting_appointment_ids: [],
      conflicts: [{ id: null, booking: 2, start_time: '2026-12-01T12:00:00Z', client_name: 'Ana' }],
      free_from: '2026-12-01T13:00:00Z',
    };
    await expect(book(twice)).rejects.toMatchObject({ members: { problems: [null, null, conflict] } });
    const { data } = await book(twice, { on_conflict: 'skip' });
    expect(data[2]).toMatchObject({ problem: conflict });
    const rights = { scopes: ['appointments:write'] };
    await expect(book([at('15:00'), at('15:30')], { rights })).rejects.toMatchObject({
      members: { problems: [null, { detail: 'Sam is already booked at that time (booking 1).' }] },
    });
    const other = await salon.addStylist();
    const together = [at('15:00'), at('15:00', { stylist_id: other }), at('15:30', { allow_overlap: true })];
    expect((await book(together)).data.map(({ problem }) => problem)).toEqual([null, null, null]);
  });

  it('refuses each whose client or stylist belongs to another account', async () => {
    await using world = await openSalon();
    const { salon, at, book } = world;
    const neighbour = await salon.openNeighbour();
    const theirs = { client_id: await neighbour.addClient(), stylist_id: await neighbour.addStylist() };
    const half = [at('09:00'), at('10:00', theirs), at('11:00'), at('12:00', theirs)];
    await expect(book(half)).rejects.toMatchObject({
      message: '2 of 4 bookings are refused, so none was made.',
      members: { problems: [null, { code: 'validation_failed' }, null, { code: 'validation_failed' }] },
    });
    expect(await readStarts(salon)).toEqual([]);
    await book(half, { on_conflict: 'skip' });
    expect([await readStarts(salon), await readStarts(neighbour)]).toEqual([['09:00', '11:00'], []]);
  });

  it.each(['refuse', 'skip'] as const)(
    'is refused as a whole to a stylist who may book one of them only: %s',
    async (on_conflict) => {
      await using world = await openSalon();
      const { salon, who, at, book } = world;
      const other = await salon.addStylist();
      const rights = { role: 'stylist', stylistId: who.stylist_id };
      const mixed = [at('09:00'), at('09:00', { stylist_id: other })];
      await expect(book(mixed, { rights, on_conflict })).rejects.toMatchObject({ code: 'permission_denied' });
      expect(await readStarts(salon)).toEqual([]);
      await book([at('09:00'), at('10:00')], { rights, on_conflict });
      expect(await readStarts(salon)).toEqual(['09:00', '10:00']);
    },
  );

  it('ends as a whole when the account stores too much', async () => {
    await using world = await openSalon();
    const { salon, at, book } = world;
    const quota = toStorageQuota(salon.as().caller.account.hourlyLimit);
    await salon.store.database.transaction('service', (tx) =>
      tx.run("update collections set bytes = ? where name = 'stylists'", [quota]),
    );
    const refused = book([at('09:00'), at('10:00')], { on_conflict: 'skip' });
    await expect(refused).rejects.toMatchObject({ code: 'storage_quota_exceeded' });
    expect(await readStarts(salon)).toEqual([]);
  });
});

describe('a batch with an idempotency key', () => {
  const secret = 'prefers oolong';

  function bookOnce(salon: TestSalon, bookings: readonly Booking[]) {
    const act = (context: Context) =>
      createAppointmentBatch(context, { bookings: [...bookings], on_conflict: 'skip' }, toProblem);
    return createIdempotency()(salon.as(), { key: 'k', digest: 'digest' }, act);
  }

  it('is replayed with the appointments as they are by then', async () => {
    await using world = await openSalon();
    const { salon, at } = world;
    const bookings = [at('09:00', { notes: secret }), at('09:30'), at('11:00')];
    const first = await bookOnce(salon, bookings);
    const [made] = first.result.data;
    await cancelAppointment(salon.as(), made?.appointment?.id ?? '', {});
    const { result, isReplay } = await bookOnce(salon, bookings);
    expect({ isReplay, data: result.data }).toMatchObject({
      isReplay: true,
      data: [
        { appointment: { id: made?.appointment?.id, status: 'cancelled', notes: secret } },
        { problem: { code: 'appointment_conflict', detail: `${problems.appointment_conflict.title}.` } },
        { appointment: first.result.data[2]?.appointment },
      ],
    });
    expect(await readStarts(salon)).toEqual(['09:00', '11:00']);
  });

  it('keeps no personal data that an erasure would leave', async () => {
    await using world = await openSalon();
    const { salon, who, at } = world;
    const bookings = [at('09:00', { notes: secret }), at('09:30')];
    await bookOnce(salon, bookings);
    const kept = await salon.store.database.reader.run('select answer from idempotency_keys', []);
    expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${secret}|Ana`));
    await deleteClient(salon.as(), who.client_id, { force: true });
    expect(await readRows(salon)).not.toContain(secret);
    const { result } = await bookOnce(salon, bookings);
    expect(result.data[0]).toMatchObject({ appointment: { notes: null, status: 'cancelled' } });
  });

  it('is tried again after it was refused', async () => {
    await using world = await openSalon();
    const { salon, at } = world;
    const taken = await salon.addAppointment(at('09:00'));
    const run = createIdempotency();
    const book = () =>
      run(salon.as(), { key: 'k', digest: 'digest' }, (context) =>
        createAppointmentBatch(context, { bookings: [at('09:00'), at('10:00')] }, toProblem),
      );
    await expect(book()).rejects.toMatchObject({ code: 'bookings_refused' });
    await cancelAppointment(salon.as(), taken, {});
    expect((await book()).isReplay).toBe(false);
  });
});
