import { intersectSpans } from '../../time/spans.ts';
import { createZoneClock, dayMs, minuteMs, type TimeSpan } from '../../time/time.ts';
import { parseWeekHours, renderWeekHours, type WeekHours } from '../../time/week-hours.ts';
import type { NamedStylist } from '../people/names.ts';
import type { CommandContext } from '../session/command-context.ts';
import { type BusyVisit, learningDays, salonFacts } from './salon-facts.ts';

/** When a stylist works, and who says so; `assumed` if unknown. */
export interface StylistHours {
  readonly week: WeekHours;
  readonly source: 'stylist' | 'salon' | 'learnt' | 'assumed';
}

/** A stylist, and the hours that are set for them. */
type Worker = Pick<NamedStylist, 'id' | 'workingHours'>;

const usualHours = 'mon-sat 09:00-18:00';

/**
 * Reads the hours of stylists, by ID: their own, as far as the salon is open; else the salon's, else those that past
 * appointments show. Hours of a profile do not limit a stylist's own. Says on standard error which are learnt or assumed.
 */
export async function readOpeningHours(
  context: CommandContext,
  stylists: readonly Worker[],
): Promise<ReadonlyMap<string, StylistHours>> {
  const { openingHours } = (await context.session()).settings;
  const salon = openingHours && parseWeekHours(openingHours.value);
  const isLearning = salon === undefined && stylists.some(({ workingHours }) => workingHours === undefined);
  const learnt = isLearning ? await learnFromPast(context) : undefined;
  const toHours = ({ id, workingHours }: Worker): StylistHours => {
    if (workingHours !== undefined) {
      const limit = openingHours?.source === 'salon' ? salon : undefined;
      const week = limit
        ? workingHours.map((spans, day) => intersectSpans(spans, limit[day] ?? []))
        : workingHours;
      return { week, source: 'stylist' };
    }
    if (salon !== undefined) return { week: salon, source: 'salon' };
    if (learnt === undefined) return { week: parseWeekHours(usualHours) ?? [], source: 'assumed' };
    return { week: learnt.stylists.get(id) ?? learnt.salon, source: 'learnt' };
  };
  return new Map(stylists.map((stylist) => [stylist.id, toHours(stylist)]));
}

async function learnFromPast(context: CommandContext) {
  const { profileName = '<profile>' } = await context.session();
  const facts = salonFacts(context);
  const learnt = learnHours(await facts.pastVisits(), await context.timeZone());
  const text = learnt === undefined ? usualHours : renderWeekHours(learnt.salon);
  const past = `past ${learningDays / 7} weeks`;
  const origin =
    learnt === undefined
      ? `No opening hours are set, and there are no appointments of the ${past}; assuming`
      : `Opening hours, learnt from the ${past}:`;
  facts.sayOnce(`${origin} ${text}. To set them: salon profiles set ${profileName} opening_hours "${text}"`);
  return learnt;
}

/** Hours are rounded outwards to this. */
const stepMs = 30 * minuteMs;

/**
 * Learns the salon's hours of each weekday: from the first to the last appointment of an ordinary day, so that one
 * early or late exception changes nothing. Undefined without appointments.
 */
export function learnHours(
  visits: readonly Pick<BusyVisit, 'stylistId' | 'startMs' | 'endMs'>[],
  timeZone: string,
) {
  if (visits.length === 0) return undefined;
  const { wall } = createZoneClock(timeZone);
  const local = visits.map(({ stylistId, ...visit }) => {
    const wallMs = wall(visit.startMs);
    const startMs = wallMs % dayMs;
    const endMs = Math.min(dayMs, startMs + visit.endMs - visit.startMs);
    return { stylistId, day: wallMs - startMs, weekday: new Date(wallMs).getUTCDay(), startMs, endMs };
  });
  const byWeekday = Map.groupBy(local, ({ weekday }) => weekday);
  const salon = Array.from({ length: 7 }, (_, weekday) => toDayHours(byWeekday.get(weekday) ?? []));
  const byStylist = Map.groupBy(local, ({ stylistId }) => stylistId);
  const stylists = [...byStylist].map(([id, theirs]) => {
    const worked = new Set(theirs.map(({ weekday }) => weekday));
    return [id, salon.map((spans, weekday) => (worked.has(weekday) ? spans : []))] as const;
  });
  /** Of stylists: the salon's hours on the weekdays on which each has had appointments. */
  return { salon, stylists: new Map(stylists) };
}

function toDayHours(visits: readonly (TimeSpan & { readonly day: number })[]): readonly TimeSpan[] {
  const days = [...Map.groupBy(visits, ({ day }) => day).values()];
  const opening = days.map((day) => Math.min(...day.map(({ startMs }) => startMs)));
  const closing = days.map((day) => Math.max(...day.map(({ endMs }) => endMs)));
  const startMs = Math.floor(quarter(opening) / stepMs) * stepMs;
  const endMs = Math.ceil(-quarter(closing.map((ms) => -ms)) / stepMs) * stepMs;
  return startMs < endMs ? [{ startMs, endMs }] : [];
}

/** The value below which a quarter of the values lie. */
function quarter(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0;
}
