import { randomBytes } from 'node:crypto';
import { SalonError } from '../../src/contract/errors.ts';
import { scopes } from '../../src/contract/roles.ts';
import { openDatabase } from '../../src/service/db/database.ts';
import { createAppointment } from '../../src/service/domain/appointments.ts';
import type { Context } from '../../src/service/domain/context.ts';

// A process that books slots at random, 16 at a time, and reports how many it got and how many were taken.
const [, , location = '', accountId = '', clientId = '', stylistIds = '', count = ''] = process.argv;
const workers = 16;
const slots = 500;
const slotMs = 15 * 60_000;

await using database = await openDatabase(location);
const refuse = () => {
  throw new Error('Bookings need no secrets.');
};
const context: Context = {
  database,
  environment: { now: () => new Date(), random: (size) => randomBytes(size) },
  secrets: { seal: refuse, open: refuse },
  checkAddress: async () => undefined,
  caller: {
    account: { id: accountId, name: 'Test salon', plan: 'pro', hourlyLimit: 1, settings: {} },
    ...{ role: 'owner', scopes, stylistId: null, credential: { kind: 'operator' } },
  },
  source: { requestId: null, address: null },
};
const stylists = stylistIds.split(',');
let left = Number(count);
let booked = 0;
let taken = 0;

async function book(): Promise<void> {
  const [slot = 0, length = 0, stylist = 0] = randomBytes(6).reduce<number[]>(toNumbers, []);
  const start = new Date(Date.UTC(2040, 0, 1) + (slot % slots) * slotMs);
  await createAppointment(context, {
    client_id: clientId,
    stylist_id: stylists[stylist % stylists.length] ?? '',
    ...{ service: 'Cut', start_time: start.toISOString(), duration: 15 * (1 + (length % 6)) },
  });
}

/** Two bytes make a number. */
function toNumbers(numbers: number[], byte: number, index: number): number[] {
  if (index % 2 === 0) return [...numbers, byte];
  return [...numbers.slice(0, -1), (numbers.at(-1) ?? 0) * 256 + byte];
}

async function work(): Promise<void> {
  while (left > 0) {
    left -= 1;
    try {
      await book();
      booked += 1;
    } catch (error) {
      if (!(error instanceof SalonError) || error.code !== 'appointment_conflict') throw error;
      taken += 1;
    }
  }
}

await Promise.all(Array.from({ length: workers }, work));
process.send?.({ booked, taken });
