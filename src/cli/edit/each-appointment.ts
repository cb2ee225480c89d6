import type { ValuesOfEach } from '../../bulk/plan/plan-records.ts';
import { subtractSpans } from '../../contract/free-time.ts';
import { startOfDay } from '../../contract/local-days.ts';
import { foldText } from '../../contract/search-text.ts';
import { createZoneClock, dayMs, minuteMs, type TimeSpan, toUtcText } from '../../contract/time.ts';
import { readFreeTime } from '../availability/availability.ts';
import type { FreeTime } from '../availability/free-slots.ts';
import type { BusyVisit } from '../availability/salon-facts.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { readClock } from '../output/format.ts';
import { openAppointmentReader } from '../people/resolve-appointment.ts';
import type { CommandContext } from '../session/command-context.ts';

/** What every appointment gets of its own. */
export interface EachAppointment {
  /** Whole days later, at the same local time; earlier if negative. */
  readonly shiftDays?: number | undefined;
  /** Whether each goes to a stylist who is free then. */
  readonly toAnyone?: boolean | undefined;
}

/** Finds the new start and stylist of each appointment. */
export function changeEach(
  { shiftDays = 0, toAnyone = false }: EachAppointment,
  context: CommandContext,
): ValuesOfEach {
  const opened = openAppointmentReader(context);
  const findFree = openFreeTime(context);
  return {
    fields: [...(shiftDays === 0 ? [] : ['start_time']), ...(toAnyone ? ['stylist_id'] : [])],
    async find(record) {
      const visit = (await opened).read(record, ['duration', 'stylist']);
      if (visit === undefined) return refuse('It does not show when, how long or with whom it is.');
      const style = await readClock(context);
      const zone = createZoneClock(style.timeZone);
      const wallMs = zone.wall(visit.startMs) + shiftDays * dayMs;
      const startMs = shiftDays === 0 ? visit.startMs : zone.earliest(wallMs);
      const start = toUtcText(startMs);
      const time = renderShortTime(start, style);
      if (shiftDays !== 0 && zone.wall(startMs) !== wallMs)
        return refuse(`The clocks skip its time that day: it would be ${time}.`);
      if (shiftDays !== 0 && startMs < style.now.getTime()) return refuse(`${time} is in the past.`);
      const moved = shiftDays === 0 ? {} : { start_time: start };
      if (!toAnyone) return { values: moved };
      const { minutes = 0 } = visit;
      const date = startOfDay(zone.wall(startMs));
      const day = { startMs: zone.earliest(date), endMs: zone.earliest(date + dayMs) };
      const span = { startMs, endMs: startMs + minutes * minuteMs };
      const stylist = await findFree({ ...visit, minutes, ...span }, day);
      if (stylist !== undefined) return { values: { ...moved, stylist_id: stylist } };
      const reason = `Nobody else who does ${visit.service || 'it'} is free ${time}.`;
      return { refusal: { code: 'appointment_conflict', reason } };
    },
  };
}

function refuse(reason: string) {
  return { refusal: { code: 'unclear', reason } } as const;
}

/** Finds the stylist with the most free time of the day, and remembers what it has given away. */
function openFreeTime(context: CommandContext) {
  const known = new Map<string, Promise<readonly FreeTime[]>>();
  const given = new Map<string, TimeSpan[]>();

  function readFree(service: string, { startMs, endMs }: TimeSpan): Promise<readonly FreeTime[]> {
    const key = `${startMs} ${foldText(service)}`;
    // An appointment takes at most a day.
    const span = { startMs, endMs: endMs + dayMs };
    const free =
      known.get(key) ?? readFreeTime(context, { span, durationMinutes: 1, service: service || undefined });
    known.set(key, free);
    return free;
  }

  return async (wanted: BusyVisit, day: TimeSpan): Promise<string | undefined> => {
    const free = await readFree(wanted.service, day);
    const able = free.flatMap(({ stylistId, spans }) => {
      const left = subtractSpans(spans, given.get(stylistId) ?? []);
      const fits = left.some(({ startMs, endMs }) => startMs <= wanted.startMs && endMs >= wanted.endMs);
      if (!fits || stylistId === wanted.stylistId) return [];
      const ofDay = left.map(
        ({ startMs, endMs }) => Math.min(endMs, day.endMs) - Math.max(startMs, day.startMs),
      );
      return [{ stylistId, freeMs: ofDay.reduce((sum, ms) => sum + Math.max(0, ms), 0) }];
    });
    const [best] = able.toSorted((one, other) => other.freeMs - one.freeMs);
    if (best === undefined) return undefined;
    const { startMs, endMs } = wanted;
    given.set(best.stylistId, [...(given.get(best.stylistId) ?? []), { startMs, endMs }]);
    return best.stylistId;
  };
}
