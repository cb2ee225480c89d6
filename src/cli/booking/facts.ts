import type { SalonClient } from '../../client/client.ts';
import { readWhole } from '../../client/pagination/whole-list.ts';
import { foldText } from '../../contract/search-text.ts';
import type { TimeSpan } from '../calendar/calendar-days.ts';
import { isUnavailable, toNamedStylist, toText } from '../people/names.ts';
import type { CommandContext } from '../session/command-context.ts';

/** A service as this salon books it. */
export interface UsualService {
  readonly service: string;
  readonly usualMinutes: number;
}

/** Somebody who takes bookings. */
export interface BookableStylist {
  readonly id: string;
  readonly name: string;
  /** What they do; empty where the server does not say. */
  readonly services: readonly string[];
}

/** A time at which a stylist is free for the whole duration. */
export interface FreeSlot {
  readonly stylistId: string;
  /** UTC instant. */
  readonly start: string;
}

export interface SlotQuery {
  readonly span: TimeSpan;
  readonly durationMinutes: number;
  /** Everybody if undefined. */
  readonly stylistIds: readonly string[] | undefined;
}

/** What the questions of a booking offer, each read when it is first needed. */
export interface BookingFacts {
  /** Most frequent first. */
  services(): Promise<readonly UsualService[]>;
  /** The active ones; undefined if the server does not list them. */
  stylists(): Promise<readonly BookableStylist[] | undefined>;
  slots(query: SlotQuery): Promise<readonly FreeSlot[]>;
}

/** `movedId`: an appointment that does not block the time, because it is moved. */
export function createBookingFacts(context: CommandContext, movedId?: string): BookingFacts {
  const services = once(async () => {
    const { readUsualServices } = await import('../availability/usual-services.ts');
    return readUsualServices(context);
  });
  const stylists = once(async () => readStylists(await context.client()));
  return {
    services,
    stylists,
    async slots({ span, durationMinutes, stylistIds }) {
      const { readAvailability } = await import('../availability/read-availability.ts');
      const toInstant = (ms: number) => new Date(ms).toISOString();
      const [from, to] = [toInstant(span.startMs), toInstant(span.endMs)];
      return readAvailability(context, { from, to, durationMinutes, stylistIds, movedId });
    },
  };
}

/** The stylists who do a service: those who list it and those who list nothing. Everybody if nobody does. */
export function findWhoDoes(
  stylists: readonly BookableStylist[],
  service: string,
): readonly BookableStylist[] {
  const fitting = stylists.filter(
    ({ services }) => services.length === 0 || services.some((one) => isSameService(one, service)),
  );
  return fitting.length > 0 ? fitting : stylists;
}

/** Whether two texts name one service: accents, case and spaces aside. */
export function isSameService(one: string, other: string): boolean {
  return foldText(one) === foldText(other);
}

async function readStylists(client: SalonClient): Promise<readonly BookableStylist[] | undefined> {
  const found: BookableStylist[] = [];
  try {
    const list = client.stylists.list({}, { searchesAppointments: false });
    for await (const { rows } of readWhole(list, 'stylists')) {
      for (const row of rows) {
        const { id, name, active } = toNamedStylist(row);
        const services = Array.isArray(row.services) ? row.services.map(toText) : [];
        if (active) found.push({ id, name, services });
      }
    }
    return found;
  } catch (thrown) {
    if (!isUnavailable(thrown)) throw thrown;
    return undefined;
  }
}

/** Keeps the first result; a failure is not kept. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let kept: Promise<Value> | undefined;
  return () => {
    kept ??= read().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}
