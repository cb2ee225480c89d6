import { createZoneClock, dayMs, minuteMs } from '../../contract/time.ts';
import {
  intersectWeekHours,
  type OpenSpan,
  parseWeekHours,
  renderWeekHours,
  type WeekHours,
} from '../../contract/week-hours.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { BusyTime } from './free-slots.ts';
import { type BookableStylist, learningDays, salonFacts } from './salon-facts.ts';

/** When a stylist works, and who says so; `assumed` if unknown. */
export interface StylistHours {
  readonly week: WeekHours;
  readonly source: 'stylist' | 'salon' | 'learnt' | 'assumed';
}

const usualHours = 'mon-sat 09:00-18:00';

/**
 * Reads the hours of stylists, by ID: their own, as far as the salon is open; else the salon's, else those that past
 * appointments show. Hours of a profile do not limit a stylist's own. Says on standard error which are learnt or assumed.
 */
export async function readOpeningHours(
  context: CommandContext,
  stylists: readonly Pick<BookableStylist, 'id' | 'hours'>[],
): Promise<ReadonlyMap<string, StylistHours>> {
  const { settings, profileName } = await context.session();
  const salon = settings.openingHours && parseWeekHours(settings.openingHours.value);
  const isLearning = salon === undefined && stylists.some(({ hours }) => hours === undefined);
  const learnt = isLearning
    ? learnHours(await salonFacts(context).pastVisits(), await context.timeZone())
    : undefined;
  if (isLearning) {
    const weeks = learningDays / 7;
    const text = learnt === undefined ? usualHours : renderWeekHours(learnt.salon);
    const origin =
      learnt === undefined
        ? `No opening hours are set, and there are no appointments of the past ${weeks} weeks; assuming`
        : `Opening hours, learnt from the past ${weeks} weeks:`;
    salonFacts(context).sayOnce(
      `${origin} ${text}. To set them: salon profiles set ${profileName ?? '<profile>'} opening_hours "${text}"`,
    );
  }
  const toHours = ({ id, hours }: Pick<BookableStylist, 'id' | 'hours'>): StylistHours => {
    if (hours !== undefined) {
      const isLimited = salon !== undefined && settings.openingHours?.source === 'salon';
      return { week: isLimited ? intersectWeekHours(hours, salon) : hours, source: 'stylist' };
    }
    if (salon !== undefined) return { week: salon, source: 'salon' };
    if (learnt === undefined) return { week: parseWeekHours(usualHours) ?? [], source: 'assumed' };
    return { week: learnt.stylists.get(id) ?? learnt.salon, source: 'learnt' };
  };
  return new Map(stylists.map((stylist) => [stylist.id, toHours(stylist)]));
}

/** Hours that past appointments show. */
interface LearntHours {
  readonly salon: WeekHours;
  /** The salon's hours on the weekdays on which a stylist has had appointments. */
  readonly stylists: ReadonlyMap<string, WeekHours>;
}

/** Hours are rounded outwards to this. */
const roundMinutes = 30;

/**
 * Learns the salon's hours of each weekday: from the first to the last appointment of an ordinary day, so that one
 * early or late exception changes nothing. Undefined without appointments.
 */
export function learnHours(visits: readonly BusyTime[], timeZone: string): LearntHours | undefined {
  if (visits.length === 0) return undefined;
  const { wall } = createZoneClock(timeZone);
  const local = visits.map(({ stylistId, startMs, endMs }) => {
    const day = Math.floor(wall(startMs) / dayMs);
    const startMinute = (wall(startMs) - day * dayMs) / minuteMs;
    const endMinute = Math.min(1440, startMinute + (endMs - startMs) / minuteMs);
    return { stylistId, day, weekday: new Date(day * dayMs).getUTCDay(), startMinute, endMinute };
  });
  const byWeekday = Map.groupBy(local, ({ weekday }) => weekday);
  const salon = Array.from({ length: 7 }, (_, weekday) => toDayHours(byWeekday.get(weekday) ?? []));
  const byStylist = Map.groupBy(local, ({ stylistId }) => stylistId);
  const stylists = [...byStylist].map(([id, theirs]) => {
    const worked = new Set(theirs.map(({ weekday }) => weekday));
    return [id, salon.map((spans, weekday) => (worked.has(weekday) ? spans : []))] as const;
  });
  return { salon, stylists: new Map(stylists) };
}

function toDayHours(visits: readonly (OpenSpan & { readonly day: number })[]): readonly OpenSpan[] {
  if (visits.length === 0) return [];
  const days = [...Map.groupBy(visits, ({ day }) => day).values()];
  const opening = days.map((day) => Math.min(...day.map(({ startMinute }) => startMinute)));
  const closing = days.map((day) => Math.max(...day.map(({ endMinute }) => endMinute)));
  const startMinute = Math.floor(quarter(opening) / roundMinutes) * roundMinutes;
  const endMinute = Math.ceil(-quarter(closing.map((minute) => -minute)) / roundMinutes) * roundMinutes;
  return startMinute < endMinute ? [{ startMinute, endMinute }] : [];
}

/** The value below which a quarter of the values lie. */
function quarter(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0;
}
