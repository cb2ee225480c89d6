import type { SalonClient } from '../../client/client.ts';
import { type Appointment, slotFreeingStatuses } from '../../contract/appointment.ts';
import { countOf } from '../../contract/numbers.ts';
import {
  isUnseen,
  type KnownStylist,
  type NameReading,
  pickStylists,
  readClientNames,
  readStylists,
  toText,
} from '../people/names.ts';
import type { CalendarContents, CalendarStylist, Visit } from './calendar-contents.ts';
import type { CalendarDay } from './calendar-days.ts';

export interface CalendarAsked {
  readonly days: readonly CalendarDay[];
  /** Identifiers or names; all where there are none. */
  readonly stylists: readonly string[];
  /** Statuses with commas between them. */
  readonly status: string | undefined;
  /** Whether appointments that take nobody's time are shown too. */
  readonly isAll: boolean;
  readonly withNames: boolean;
}

export interface CalendarSources extends Omit<NameReading, 'client'> {
  readonly client: SalonClient;
  readonly explain: (text: string) => void;
}

export interface ReadCalendar extends Omit<CalendarContents, 'nowMs'> {
  /** Who comes, by identifier. */
  readonly names: ReadonlyMap<string, string>;
}

const minuteMs = 60_000;
/** The longest appointment: so far back somebody may have begun who is not done yet. */
const longestMs = 1440 * minuteMs;
/** The last instant that a date can be. */
const lastMs = 8.64e15;

/** Reads who comes to whom on these days, those included who came the day before and are still there. */
export async function readCalendar(asked: CalendarAsked, sources: CalendarSources): Promise<ReadCalendar> {
  const { client, explain, warn } = sources;
  const known = await readStylists(client, explain);
  const picked = asked.stylists.length === 0 ? undefined : pickStylists(asked.stylists, known);
  const found = await readAppointments(client, asked, picked);
  if (found.unread > 0) warn(`${countOf(found.unread, 'appointments')} without a start are left out.`);
  if (known === undefined) warnOfUnbooked(asked.stylists, found.visits, warn);
  const shown = found.visits.filter((visit) => isShown(visit, asked));
  const names: ReadonlyMap<string, string> = asked.withNames
    ? await readClientNames(new Set(shown.map(({ clientId }) => clientId)), sources)
    : new Map();
  const visits = shown.map((visit) => ({ ...visit, client: names.get(visit.clientId) ?? visit.clientId }));
  const asTold = picked ?? listStylists(known ?? [], visits);
  const seen = new Set(found.visits.map(({ stylistId }) => stylistId));
  const reach = asTold.length > 1 && seen.size <= 1 ? await readReach(client) : undefined;
  if (reach !== undefined)
    warn('This key reaches the calendar of its own stylist alone; others are left out.');
  const stylists = reach === undefined ? asTold : asTold.filter(({ id }) => id === reach);
  const place = new Map(stylists.map(({ id }, index) => [id, index]));
  const placeOf = ({ stylistId }: Visit) => place.get(stylistId) ?? stylists.length;
  return {
    stylists,
    names,
    visits: visits.sort((a, b) => placeOf(a) - placeOf(b) || a.startMs - b.startMs || compare(a.id, b.id)),
    leftOut: countLeftOut(found.visits, asked),
  };
}

/** Where stylists cannot be looked up, a name that was meant as one finds nobody. */
function warnOfUnbooked(
  asked: readonly string[],
  visits: readonly Visit[],
  warn: (text: string) => void,
): void {
  const booked = new Set(visits.map(({ stylistId }) => stylistId));
  for (const id of asked.filter((text) => !booked.has(text))) {
    warn(
      `This server shows no names of stylists: "${id}" is taken for an identifier, and nobody is booked with it.`,
    );
  }
}

/** The one stylist whose calendar the key reaches, if it is bound to one: the others only look free to it. */
async function readReach(client: SalonClient): Promise<string | undefined> {
  try {
    return (await client.me()).stylist_id ?? undefined;
  } catch (thrown) {
    if (!isUnseen(thrown)) throw thrown;
    return undefined;
  }
}

async function readAppointments(
  client: SalonClient,
  { days, status }: CalendarAsked,
  picked: readonly KnownStylist[] | undefined,
) {
  const [startMs, endMs] = [days[0]?.startMs ?? 0, days.at(-1)?.endMs ?? 0];
  const [only, another] = picked ?? [];
  const query = {
    start_time_from: new Date(startMs - longestMs).toISOString(),
    start_time_to: new Date(endMs).toISOString(),
    ...(status === undefined ? {} : { status }),
    ...(only === undefined || another !== undefined ? {} : { stylist_id: only.id }),
  };
  const wanted = picked && new Set(picked.map(({ id }) => id));
  const visits: Visit[] = [];
  let unread = 0;
  for await (const { rows } of client.appointments.list(query)) {
    for (const row of rows) {
      const visit = toVisit(row);
      if (visit === undefined) unread += 1;
      else if (visit.startMs < endMs && visit.endMs > startMs && (wanted?.has(visit.stylistId) ?? true)) {
        visits.push(visit);
      }
    }
  }
  return { visits, unread };
}

/** Undefined where a foreign server's appointment has no start. */
function toVisit({ id, client_id, stylist_id, service, status, ...row }: Appointment): Visit | undefined {
  const startMs = Date.parse(row.start_time);
  if (Number.isNaN(startMs)) return undefined;
  return {
    id: toText(id),
    clientId: toText(client_id),
    stylistId: toText(stylist_id),
    client: toText(client_id),
    service: toText(service),
    status: toText(status),
    startMs,
    endMs: toEnd(startMs, Number(row.duration)),
  };
}

/** A minute later where the length is none, or longer than there is time. */
function toEnd(startMs: number, minutes: number): number {
  const endMs = startMs + minutes * minuteMs;
  return endMs > startMs && endMs <= lastMs ? endMs : startMs + minuteMs;
}

function isShown({ status }: Visit, { isAll, status: asked }: CalendarAsked): boolean {
  return isAll || asked !== undefined || !slotFreeingStatuses.some((freeing) => freeing === status);
}

function countLeftOut(visits: readonly Visit[], asked: CalendarAsked): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const visit of visits) {
    if (!isShown(visit, asked)) counts.set(visit.status, (counts.get(visit.status) ?? 0) + 1);
  }
  return counts;
}

/** Those who work here, and whoever else somebody comes to. */
function listStylists(known: readonly KnownStylist[], visits: readonly Visit[]): readonly CalendarStylist[] {
  const booked = new Set(visits.map(({ stylistId }) => stylistId));
  const here = known.filter(({ id, active }) => active || booked.has(id));
  const ids = new Set(known.map(({ id }) => id));
  const others = [...booked].filter((id) => !ids.has(id)).sort();
  return [...here, ...others.map((id) => ({ id, name: id || 'no stylist' }))];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
