import type { CommandContext } from '../../src/cli/session/command-context.ts';
import { SalonError } from '../../src/contract/errors.ts';
import { listAppointments } from '../../src/service/domain/appointments.ts';
import { getAvailability } from '../../src/service/domain/availability.ts';
import { listBlockedTimes } from '../../src/service/domain/blocked-times.ts';
import { listStylists } from '../../src/service/domain/stylists.ts';
import type { TestSalon } from './salon.ts';

/** A list of the client, of everything on one page. */
function toList(read: () => Promise<{ readonly dataJson: Buffer }>) {
  return {
    consistency: () => undefined,
    async *[Symbol.asyncIterator]() {
      yield { rows: JSON.parse((await read()).dataJson.toString()) };
    },
  };
}

/** The context of a command for a salon, without requests. `isAnswered`: whether the server tells who is free. */
export function toCommandContext(
  salon: TestSalon,
  { isAnswered, zone, opening }: { isAnswered: boolean; zone: string; opening: string },
): CommandContext {
  const all = { per_page: 200 };
  const client = {
    me: async () => ({ stylist_id: null }),
    salon: {
      availability: async (query: Parameters<typeof getAvailability>[1]) => {
        if (isAnswered) return getAvailability(salon.as(), query);
        throw new SalonError('not_supported', 'No such endpoint.');
      },
    },
    stylists: { list: () => toList(() => listStylists(salon.as(), all)) },
    appointments: {
      list: (query: object) => toList(() => listAppointments(salon.as(), { ...query, ...all })),
    },
    blockedTimes: {
      list: (query: object) => toList(() => listBlockedTimes(salon.as(), { ...query, ...all })),
    },
  };
  const setting = (value: string) => ({ value, source: 'salon' });
  const settings = { timeZone: setting(zone), openingHours: setting(opening) };
  const silent = { info: () => {}, warn: () => {} };
  return {
    io: { now: salon.environment.now },
    messages: silent,
    client: async () => client,
    timeZone: async () => zone,
    session: async () => ({ settings, profileName: 'test' }),
  } as unknown as CommandContext;
}
