import { startOfDay } from '../../contract/local-days.ts';
import { dayMs, minuteMs } from '../../contract/time.ts';
import type { WeekHours } from '../../contract/week-hours.ts';
import { readOpeningHours, type StylistHours } from '../availability/opening-hours.ts';
import { salonFacts } from '../availability/salon-facts.ts';
import type { LocalSpan } from '../flags/periods.ts';
import type { CommandContext } from '../session/command-context.ts';

/** When the stylists work. */
export interface OpeningTime {
  /** Stylists with opening hours: the active ones. */
  readonly stylistIds: ReadonlySet<string>;
  /** Minutes by the clock on the wall. */
  minutesIn(stylistId: string, span: LocalSpan): bigint;
  /** Where the hours come from. */
  readonly note: string;
}

/** Reads the opening hours of all active stylists; without a list of stylists, of those with recent appointments. */
export async function readOpeningTime(context: CommandContext): Promise<OpeningTime> {
  const facts = salonFacts(context);
  const own = await facts.ownStylist().catch(() => undefined);
  const listed = (await facts.stylists())?.filter(({ active }) => active);
  const found = listed ?? (await findInVisits(context));
  const stylists = found.filter(({ id }) => own === undefined || id === own);
  const hours = await readOpeningHours(context, stylists);
  return {
    stylistIds: new Set(hours.keys()),
    minutesIn: (stylistId, span) => BigInt(countMinutes(hours.get(stylistId)?.week ?? [], span)),
    note: describeSources([...hours.values()]),
  };
}

async function findInVisits(context: CommandContext) {
  const visits = await salonFacts(context).pastVisits();
  return [...new Set(visits.map(({ stylistId }) => stylistId))].map((id) => ({ id, hours: undefined }));
}

function countMinutes(week: WeekHours, { from, to }: LocalSpan): number {
  let minutes = 0;
  for (let day = startOfDay(from); day < to; day += dayMs) {
    for (const { startMinute, endMinute } of week[new Date(day).getUTCDay()] ?? []) {
      const start = Math.max(from, day + startMinute * minuteMs);
      const end = Math.min(to, day + endMinute * minuteMs);
      minutes += Math.max(0, Math.round((end - start) / minuteMs));
    }
  }
  return minutes;
}

const sources: Readonly<Record<StylistHours['source'], string>> = {
  stylist: "each stylist's own",
  profile: "the profile's (opening_hours)",
  learnt: 'learnt from the appointments of the past six weeks',
  assumed: 'assumed, since none are set and there are no recent appointments',
};

function describeSources(hours: readonly StylistHours[]): string {
  const bySource = Object.entries(Object.groupBy(hours, ({ source }) => source));
  if (bySource.length === 0) return 'No stylist has opening hours.';
  const parts = bySource.map(([source, some]) => {
    const text = sources[source as StylistHours['source']];
    return bySource.length === 1 ? text : `${text} (${some?.length} of ${hours.length} stylists)`;
  });
  return `Opening hours: ${parts.join('; ')}.`;
}
