import { freesSlot } from '../../client/appointment-status.ts';
import type { AppointmentFacts } from '../../client/read-appointment.ts';
import { cleanText } from '../../text/clean-text.ts';
import { compareTexts } from '../../text/search-text.ts';
import { startOfDay, toClockText } from '../../time/local-days.ts';
import { createZoneClock, type TimeSpan } from '../../time/time.ts';

type Visit = TimeSpan & Omit<AppointmentFacts, 'minutes'> & { readonly isOpenEnded?: boolean };

/**
 * What clients have before and after an appointment on the day it starts: `after Balayage 10:00 with Mia, then Nails 14:00
 * with Zoe`, or `also` for what overlaps. Cancelled appointments and no-shows do not count.
 */
export function describeSameDay<One extends Visit>(
  all: readonly One[],
  { timeZone, stylists }: { timeZone: string; stylists: ReadonlyMap<string, string> },
): ReadonlyMap<One, string> {
  const { wall } = createZoneClock(timeZone);
  const dayOf = ({ clientId, startMs }: One) => `${startOfDay(wall(startMs))} ${clientId}`;
  const sorted = all
    .filter(({ clientId, status }) => clientId !== '' && !freesSlot(status))
    .sort((a, b) => a.startMs - b.startMs || compareTexts(a.id, b.id));
  const words = new Map<One, string>();
  for (const visits of Map.groupBy(sorted, dayOf).values()) {
    visits.reduce((last, next) => {
      const endMs = last.isOpenEnded === true ? last.startMs + 1 : last.endMs;
      const [then, after] = endMs > next.startMs ? ['also', 'also'] : ['then', 'after'];
      words.set(last, [words.get(last), describe(then, next)].filter(Boolean).join(', '));
      words.set(next, describe(after, last));
      return next;
    });
  }
  return words;

  function describe(order: string, { service, startMs, stylistId }: One): string {
    const name = stylists.get(stylistId) ?? stylistId;
    const parts = [order, service, toClockText(wall(startMs)), name && `with ${name}`];
    return cleanText(parts.filter(Boolean).join(' '));
  }
}
