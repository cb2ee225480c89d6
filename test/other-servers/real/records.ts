import { type Row, toPerson } from '../../support/servers/client-store.ts';

/** The records of a server, by the plural noun of the contract. */
export type Records = Readonly<Record<string, readonly Row[]>>;

const statuses = ['confirmed', 'completed', 'completed', 'no_show', 'cancelled'];
const services = ['Balayage', 'Men’s cut', 'Blow-dry'];

/** Records with text and numbers that JavaScript holds: most of the servers are written in it. */
export function makeRecords(count: number): Records {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return {
    clients: numbers.map((id) => ({
      id,
      ...toPerson(id),
      loyalty_number: id,
      balance: 12.5,
      address: { city: 'Köln', zip: '00501' },
    })),
    appointments: numbers.map((id): Row => {
      const start = new Date(Date.UTC(2026, 9, 1, 8 + 5 * id));
      return {
        id,
        client_id: (id % 7) + 1,
        stylist_id: (id % 4) + 1,
        service: services[id % 3],
        start_time: start.toISOString(),
        duration: 30 + 15 * (id % 4),
        status: statuses[id % 5],
        updated_at: new Date(Date.UTC(2026, 1, 1, 0, id)).toISOString(),
      };
    }),
    stylists: ['Mia', 'Theo', 'Nia', 'Łukasz'].map((name, index) => ({ id: index + 1, name })),
  };
}
