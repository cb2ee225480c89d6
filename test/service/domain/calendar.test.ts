import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Appointment,
  type AppointmentStatus,
  appointmentStatuses,
} from '../../../src/contract/appointment.ts';
import {
  cancelAppointment,
  createAppointment,
  listAppointments,
  updateAppointment,
} from '../../../src/service/domain/appointments.ts';
import { deleteClient } from '../../../src/service/domain/clients.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import { updateStylist } from '../../../src/service/domain/stylists.ts';
import {
  book,
  type Calendar,
  cancel,
  change,
  type Entry,
  erase,
  type Outcome,
} from '../../support/calendar-model.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';
import { countBySpeed } from '../../support/speed.ts';

/** The service in two processes, and the records that the model numbers. */
interface Real {
  readonly salon: TestSalon;
  readonly contexts: readonly [Context, Context];
  readonly clientIds: readonly string[];
  readonly stylistIds: readonly string[];
  readonly ids: string[];
}

type Command = fc.AsyncCommand<Calendar, Real>;

const runs = countBySpeed(50, 3000);
const noonMs = Date.parse('2026-11-21T12:00:00Z');
const status = fc.constantFrom(...appointmentStatuses);
const stylist = fc.nat({ max: 1 });
const client = fc.nat({ max: 2 });
const start = fc.integer({ min: -4, max: 8 }).map((quarter) => quarter * 15);
const duration = fc.constantFrom(15, 30, 60);
const notes = fc.constantFrom(null, 'x');
const by = fc.nat({ max: 1 });
const live = fc.constantFrom<AppointmentStatus>('pending', 'confirmed', 'arrived');
const entry = fc.record<Entry>({
  ...{ client, stylist, start, duration, notes },
  status: fc.oneof({ weight: 4, arbitrary: live }, status),
});
const fields = fc.oneof(
  fc.record({ start }),
  fc.record({ stylist }),
  fc.record({ client }),
  fc.record({ start, duration, stylist }, { requiredKeys: ['start'] }),
  fc.record({ status }),
  fc.record({ client, stylist, start, duration, status, notes }, { requiredKeys: [] }),
);
/** Rare, so that calendars fill up without too many overlaps. */
const seldom = fc.constantFrom(false, false, false, true);

const booking = fc.record({ by, entry, allowOverlap: seldom }).map(
  (made): Command => ({
    check: () => true,
    run: async (model, { contexts, ids, clientIds, stylistIds }) => {
      const { allowOverlap, entry: wanted } = made;
      const { client: guest, stylist: number, start: minute, ...rest } = wanted;
      const booked = createAppointment(contexts[made.by === 0 ? 0 : 1], {
        ...rest,
        client_id: clientIds[guest] ?? '',
        stylist_id: stylistIds[number] ?? '',
        service: 'Cut',
        start_time: toInstant(minute),
        allow_overlap: allowOverlap,
      });
      const outcome = await outcomeOf(booked.then(({ id }) => ids.push(id)));
      expect(outcome).toBe(book(model, wanted, allowOverlap));
    },
    toString: () => `book ${JSON.stringify(made)}`,
  }),
);

const changing = fc.record({ by, at: fc.nat(), fields, allowOverlap: seldom }).map(
  (made): Command => ({
    check: ({ entries }) => entries.length > 0,
    run: async (model, real) => {
      const { contexts, ids } = real;
      const { allowOverlap } = made;
      const index = made.at % ids.length;
      const body = { ...toFields(made.fields, real), allow_overlap: allowOverlap };
      const context = contexts[made.by === 0 ? 0 : 1];
      const outcome = await outcomeOf(updateAppointment(context, ids[index] ?? '', { change: body }));
      expect(outcome).toBe(change(model, index, { ...made.fields, allowOverlap }));
    },
    toString: () => `change ${JSON.stringify(made)}`,
  }),
);

const cancelling = fc.record({ by, at: fc.nat() }).map(
  (made): Command => ({
    check: ({ entries }) => entries.length > 0,
    run: async (model, { contexts, ids }) => {
      const index = made.at % ids.length;
      const context = contexts[made.by === 0 ? 0 : 1];
      const outcome = await outcomeOf(cancelAppointment(context, ids[index] ?? '', {}));
      expect(outcome).toBe(cancel(model, index));
    },
    toString: () => `cancel ${JSON.stringify(made)}`,
  }),
);

const erasing = fc.record({ by, client, force: seldom }).map(
  (made): Command => ({
    check: () => true,
    run: async (model, { contexts, clientIds }) => {
      const { force } = made;
      const context = contexts[made.by === 0 ? 0 : 1];
      const outcome = await outcomeOf(deleteClient(context, clientIds[made.client] ?? '', { force }));
      expect(outcome).toBe(erase(model, made.client, { force }));
    },
    toString: () => `erase ${JSON.stringify(made)}`,
  }),
);

const hiring = fc.record({ stylist, active: seldom.map((isLeaving) => !isLeaving) }).map(
  (made): Command => ({
    check: () => true,
    run: async (model, { contexts, stylistIds }) => {
      await updateStylist(contexts[0], stylistIds[made.stylist] ?? '', { change: { active: made.active } });
      model.active[made.stylist] = made.active;
    },
    toString: () => `set active ${JSON.stringify(made)}`,
  }),
);

const waiting = fc.integer({ min: 1, max: 4 }).map(
  (quarters): Command => ({
    check: () => true,
    run: async (model, { salon }) => {
      model.now += quarters * 15;
      salon.environment.setTime(toInstant(model.now));
    },
    toString: () => `wait ${quarters * 15} min`,
  }),
);

const looking = fc
  .record({
    by,
    stylist: fc.option(stylist),
    status: fc.option(status),
    sort: fc.constantFrom('start_time', '-start_time', undefined),
  })
  .map(
    (made): Command => ({
      check: () => true,
      run: async (model, { contexts, clientIds, stylistIds, ids }) => {
        const query = {
          ...(made.stylist === null ? {} : { stylist_id: stylistIds[made.stylist] ?? '' }),
          ...(made.status === null ? {} : { status: made.status }),
          ...(made.sort === undefined ? {} : { sort: made.sort }),
        };
        const list = await listAppointments(contexts[made.by === 0 ? 0 : 1], query);
        const rows = JSON.parse(list.dataJson.toString()) as Appointment[];
        const sign = made.sort === undefined ? 0 : made.sort === 'start_time' ? 1 : -1;
        const expected = model.entries
          .map((one, index) => ({ ...one, id: ids[index] }))
          .filter((one) => made.stylist === null || one.stylist === made.stylist)
          .filter((one) => made.status === null || one.status === made.status)
          .sort((a, b) => sign * (a.start - b.start));
        expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        expect(list.total).toBe(expected.length);
        expect(rows.map((row) => [row.client_id, row.status, row.duration, row.notes])).toEqual(
          expected.map((one) => [clientIds[one.client], one.status, one.duration, one.notes]),
        );
      },
      toString: () => `look ${JSON.stringify(made)}`,
    }),
  );

/** Translates the model's fields to the contract's. */
function toFields(wanted: Partial<Entry>, { clientIds, stylistIds }: Real) {
  const { client: guest, stylist: number, start: minute, ...rest } = wanted;
  return {
    ...rest,
    ...(guest === undefined ? {} : { client_id: clientIds[guest] ?? '' }),
    ...(number === undefined ? {} : { stylist_id: stylistIds[number] ?? '' }),
    ...(minute === undefined ? {} : { start_time: toInstant(minute) }),
  };
}

function toInstant(minute: number): string {
  return new Date(noonMs + minute * 60_000).toISOString();
}

async function outcomeOf(acting: Promise<unknown>): Promise<Outcome> {
  return acting.then(
    () => 'done',
    (error) => error.code ?? Promise.reject(error),
  );
}

it('a calendar matches a simple model, with two processes writing', {
  timeout: runs * 3600,
}, async () => {
  await using salon = await openTestSalon();
  const again = await salon.store.openAgain();
  await fc.assert(
    fc.asyncProperty(
      fc.commands(
        [...[booking, booking, changing, changing, changing, cancelling], erasing, hiring, waiting, looking],
        { maxCommands: 60, size: 'max' },
      ),
      async (commands) => {
        salon.environment.setTime(toInstant(0));
        const neighbour = await salon.openNeighbour();
        const contexts = [neighbour.as(), neighbour.as({ database: again })] as const;
        const stylistIds = [await neighbour.addStylist(), await neighbour.addStylist()];
        const clientIds = [
          await neighbour.addClient(),
          await neighbour.addClient(),
          await neighbour.addClient(),
        ];
        const real = { salon, contexts, clientIds, stylistIds, ids: [] };
        const model = { now: 0, active: [true, true], gone: [false, false, false], entries: [] };
        await fc.asyncModelRun(() => ({ model, real }), commands);
      },
    ),
    { numRuns: runs },
  );
});
