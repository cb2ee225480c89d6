import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { expect, it } from 'vitest';
import { appointmentStatuses } from '../../../src/contract/appointment.ts';
import { SalonError } from '../../../src/contract/errors.ts';
import { event, type SalonEvent } from '../../../src/contract/events.ts';
import { type PaymentStatus, paymentStatuses } from '../../../src/contract/payment.ts';
import {
  cancelAppointment,
  createAppointment,
  listAppointments,
  updateAppointment,
} from '../../../src/service/domain/appointments.ts';
import { addClient, deleteClient, listClients, updateClient } from '../../../src/service/domain/clients.ts';
import type { PageOfRecords } from '../../../src/service/domain/list-page.ts';
import { createPayment, listPayments, refundPayment } from '../../../src/service/domain/payments.ts';
import { addWebhook, readEvents } from '../../support/event-log.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';
import { countBySpeed } from '../../support/speed.ts';

/** Possible steps; records are chosen by number, modulo how many there are. */
type Step =
  | { readonly act: 'book'; readonly client: number; readonly hour: number }
  | { readonly act: 'change'; readonly at: number; readonly change: object }
  | { readonly act: 'cancel'; readonly at: number }
  | { readonly act: 'pay'; readonly at: number; readonly status: PaymentStatus }
  | { readonly act: 'refund'; readonly at: number; readonly amount: number | undefined }
  | { readonly act: 'add'; readonly first_name: string }
  | { readonly act: 'edit'; readonly client: number; readonly notes: string | null }
  | { readonly act: 'remove'; readonly client: number; readonly force: boolean };

const at = fc.nat({ max: 5 });
const hour = fc.integer({ min: 8, max: 12 });
const change = fc.record(
  {
    notes: fc.constantFrom(null, 'x'),
    duration: fc.constantFrom(30, 60),
    start_time: hour.map(toStart),
    status: fc.constantFrom(...appointmentStatuses),
  },
  { requiredKeys: [] },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ act: fc.constant('book'), client: at, hour }),
  fc.record({ act: fc.constant('change'), at, change }),
  fc.record({ act: fc.constant('cancel'), at }),
  fc.record({ act: fc.constant('pay'), at, status: fc.constantFrom('completed', ...paymentStatuses) }),
  fc.record({ act: fc.constant('refund'), at, amount: fc.constantFrom(400, 1000, undefined) }),
  fc.record({ act: fc.constant('add'), first_name: fc.constantFrom('Ada', 'Bo') }),
  fc.record({ act: fc.constant('edit'), client: at, notes: fc.constantFrom(null, 'x') }),
  fc.record({ act: fc.constant('remove'), client: at, force: fc.boolean() }),
);
/** Without records most steps would be refused. */
const opening: readonly Step[] = [
  { act: 'add', first_name: 'Ada' },
  { act: 'book', client: 0, hour: 8 },
  { act: 'pay', at: 0, status: 'completed' },
];
const validator = Compile(event);

it('replaying the events gives the current records, with one event per change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }), async (steps) => {
      await using salon = await openTestSalon();
      await addWebhook(salon);
      const stylistId = await salon.addStylist();
      const replayed = new Map<string, object>();
      const seen = new Set<string>();
      for (const one of [...opening, ...steps]) {
        const original = await readRecords(salon);
        await take(salon, stylistId, one);
        const news = (await readEvents(salon)).filter(({ id }) => !seen.has(id));
        const after = await readRecords(salon);
        const before = payAppointments(eraseDeleted(original, after), after);
        for (const [id, record] of before) replayed.set(id, record);
        expect(news).toHaveLength(countChanges(before, after));
        for (const event of news) {
          expect(validator.Errors(event)[1]).toEqual([]);
          expect(before.get(event.data.object.id) ?? {}).toMatchObject(toPrevious(event));
          seen.add(event.id);
          replay(replayed, event);
        }
        expect(replayed).toEqual(after);
      }
    }),
    { numRuns: countBySpeed(12, 200) },
  );
});

async function take(salon: TestSalon, stylist_id: string, step: Step): Promise<void> {
  const [clients, appointments, payments] = await Promise.all([
    readIds(listClients),
    readIds(listAppointments),
    readIds(listPayments),
  ]);
  const context = salon.as();
  const actOf = (): Promise<unknown> => {
    switch (step.act) {
      case 'book': {
        const slot = { stylist_id, service: 'Cut', start_time: toStart(step.hour), duration: 60 };
        return createAppointment(context, { ...slot, client_id: pick(clients, step.client) });
      }
      case 'change':
        return updateAppointment(context, pick(appointments, step.at), { change: step.change });
      case 'cancel':
        return cancelAppointment(context, pick(appointments, step.at), {});
      case 'pay': {
        const paid = { amount: 900, tip_amount: 100, currency: 'EUR', method: 'card' } as const;
        const appointment_id = pick(appointments, step.at);
        return createPayment(context, { ...paid, appointment_id, status: step.status });
      }
      case 'refund':
        return refundPayment(context, pick(payments, step.at), { amount: step.amount });
      case 'add':
        return addClient(context, { first_name: step.first_name });
      case 'edit':
        return updateClient(context, pick(clients, step.client), { change: { notes: step.notes } });
      case 'remove':
        return deleteClient(context, pick(clients, step.client), { force: step.force });
    }
  };
  await actOf().catch((error: unknown) => {
    if (!(error instanceof SalonError)) throw error;
  });

  async function readIds(
    list: typeof listClients | typeof listAppointments | typeof listPayments,
  ): Promise<string[]> {
    return [...toRecords(await list(salon.as(), { per_page: 200 })).keys()];
  }
}

async function readRecords(salon: TestSalon): Promise<Map<string, object>> {
  const lists = [
    await listClients(salon.as(), {}),
    await listAppointments(salon.as(), {}),
    await listPayments(salon.as(), {}),
  ];
  return new Map(lists.flatMap((list) => [...toRecords(list)]));
}

function toRecords({ dataJson }: PageOfRecords): Map<string, object> {
  const records: { id: string }[] = JSON.parse(dataJson.toString());
  return new Map(records.map((record) => [record.id, record]));
}

function countChanges(before: ReadonlyMap<string, object>, after: ReadonlyMap<string, object>): number {
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids].filter((id) => JSON.stringify(before.get(id)) !== JSON.stringify(after.get(id))).length;
}

/** The erasure of a deleted client's texts in other records has no event. */
function eraseDeleted(before: ReadonlyMap<string, object>, after: ReadonlyMap<string, object>) {
  const erase = (id: string, record: object): object => {
    const client = 'client_id' in record ? String(record.client_id) : '';
    if (!before.has(client) || after.has(client)) return record;
    const texts = ['notes', 'cancellation_reason', 'reference'].filter((name) => name in record);
    const erased = { ...record, ...Object.fromEntries(texts.map((name) => [name, null])) };
    const current = after.get(id) ?? {};
    const isErased = JSON.stringify(erased) !== JSON.stringify(record);
    const isOnlyErased =
      JSON.stringify({ ...current, updated_at: '' }) === JSON.stringify({ ...erased, updated_at: '' });
    return isErased && isOnlyErased ? current : erased;
  };
  return new Map([...before].map(([id, record]) => [id, erase(id, record)]));
}

/** What a payment pays of its appointment has no event of the appointment. */
function payAppointments(before: ReadonlyMap<string, object>, after: ReadonlyMap<string, object>) {
  const pay = (id: string, record: object): object => {
    const current = after.get(id) ?? {};
    const others = { updated_at: '', paid_amount: 0 };
    const isSame = JSON.stringify({ ...current, ...others }) === JSON.stringify({ ...record, ...others });
    return 'paid_amount' in record && isSame ? current : record;
  };
  return new Map([...before].map(([id, record]) => [id, pay(id, record)]));
}

function toPrevious({ data }: SalonEvent): object {
  return 'previous_attributes' in data ? (data.previous_attributes ?? {}) : {};
}

function replay(records: Map<string, object>, { data }: SalonEvent): void {
  if ('deleted' in data.object) {
    records.delete(data.object.id);
  } else {
    records.set(data.object.id, data.object);
  }
}

function pick(ids: readonly string[], number: number): string {
  return ids[number % Math.max(1, ids.length)] ?? 'none';
}

function toStart(hour: number): string {
  return `2026-12-01T${String(hour).padStart(2, '0')}:00:00Z`;
}
