import { mergeClients } from '../../src/service/domain/client-merge.ts';
import { createPayment } from '../../src/service/domain/payments.ts';
import { openTestSalon } from './salon.ts';

export const cardPayment = { amount: 4500, currency: 'EUR', method: 'card' } as const;

export type DoubleSalon = Awaited<ReturnType<typeof openDoubleSalon>>;

/** A salon in which Ana Costa exists twice, with visits and payments of both. */
export async function openDoubleSalon() {
  const salon = await openTestSalon();
  const stylist_id = await salon.addStylist();
  const into = await salon.addClient({ first_name: 'Ana', last_name: 'Costa', email: 'ana@example.org' });
  const from = await salon.addClient({
    first_name: 'Anna',
    last_name: 'Costa',
    phone: '+351912345678',
    notes: 'Secret: prefers tea',
    tags: ['vip'],
  });
  await salon.addClient({ first_name: 'Bo' });
  const own = await salon.addAppointment({ client_id: into, stylist_id });
  const upcoming = await salon.addAppointment({
    client_id: from,
    stylist_id,
    start_time: '2026-12-02T09:00:00Z',
  });
  const past = await salon.addAppointment({
    client_id: from,
    stylist_id,
    status: 'completed',
    start_time: '2026-10-01T09:00:00Z',
  });
  const paid = await createPayment(salon.as(), { ...cardPayment, appointment_id: past });
  const voucher = await createPayment(salon.as(), { ...cardPayment, client_id: from });
  return {
    ...{ salon, into, from, own, upcoming, past, paid: paid.id, voucher: voucher.id },
    [Symbol.asyncDispose]: () => salon[Symbol.asyncDispose](),
  };
}

/** Merges Anna into Ana. */
export function mergeDouble({ salon, into, from }: DoubleSalon, options: object = {}) {
  return mergeClients(salon.as(), into, { from, ...options });
}
