import type { RecordEdit, ValuesOfEach } from '../../bulk/plan/plan-records.ts';
import { foldText } from '../../text/search-text.ts';
import { startOfDay } from '../../time/local-days.ts';
import { subtractSpans } from '../../time/spans.ts';
import { createZoneClock, dayMs, minuteMs, type TimeSpan, toUtcText } from '../../time/time.ts';
import { readFreeTime } from '../availability/availability.ts';
import type { FreeTime } from '../availability/free-slots.ts';
import type { BusyVisit } from '../availability/salon-facts.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { readClock } from '../output/format.ts';
import { openAppointmentReader } from '../people/resolve-appointment.ts';
import type { CommandContext } from '../session/command-context.ts';

/** What every appointment gets of its own. */
export interface EachAppointment extends Pick<RecordEdit, 'set'> {
  /** How much later in local time; earlier if negative. */
  readonly shiftMs?: number | undefined;
  /** The other stylist of those that are with one. */
  readonly toStylist?: { readonly from: string; readonly to: string } | undefined;
  /** Whether each goes to a stylist who is free then: with a new time to its own if possible, else to another. */
  readonly toAnyone?: boolean | undefined;
}

/** Finds the new start and stylist of each appointment. */
export function changeEach(
  { shiftMs = 0, toAnyone = false, toStylist, set = {} }: EachAppointment,
  context: CommandContext,
): ValuesOfEach {
  const opened = openAppointmentReader(context);
  const findFree = openFreeTime(context);
  return {
    fields: [...(shiftMs === 0 ? [] : ['start_time']), ...(toAnyone || toStylist ? ['stylist_id'] : [])],
    async find(record) {
      const visit = (await opened).read({ ...record, ...set }, ['duration', 'stylist']);
      if (visit === undefined) return refuse('It does not show when, how long or with whom it is.');
      const style = await readClock(context);
      const zone = createZoneClock(style.timeZone);
      const wallMs = zone.wall(visit.startMs) + shiftMs;
      const startMs = shiftMs === 0 ? visit.startMs : zone.earliest(wallMs);
      const start = toUtcText(startMs);
      const time = renderShortTime(start, style);
      if (shiftMs !== 0 && zone.wall(startMs) !== wallMs)
        return refuse(`The clocks skip its time that day: it would be ${time}.`);
      if (shiftMs !== 0 && startMs < style.now.getTime()) return refuse(`${time} is in the past.`);
      const other = toStylist?.from === visit.stylistId ? { stylist_id: toStylist.to } : {};
      const moved = shiftMs === 0 ? other : { start_time: start, ...other };
      if (!toAnyone) return { values: moved };
      const { minutes = 0 } = visit;
      const date = startOfDay(zone.wall(startMs));
      const day = { startMs: zone.earliest(date), endMs: zone.earliest(date + dayMs) };
      const span = { startMs, endMs: startMs + minutes * minuteMs };
      const keepsStylist = shiftMs !== 0 || set['start_time'] !== undefined;
      const stylist = await findFree({ ...visit, minutes, ...span }, day, keepsStylist);
      if (stylist !== undefined) return { values: { ...moved, stylist_id: stylist } };
      const reason = `Nobody${keepsStylist ? '' : ' else'} who does ${visit.service || 'it'} is free ${time}.`;
      return { refusal: { code: 'appointment_conflict', reason } };
    },
  };
}

function refuse(reason: string) {
  return { refusal: { code: 'unclear', reason } } as const;
}

/** Finds the own stylist if wanted and free, else who has the most free time that day. Remembers what it has given away. */
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

  return async (wanted: BusyVisit, day: TimeSpan, keepsStylist: boolean): Promise<string | undefined> => {
    const isOwn = ({ stylistId }: Pick<FreeTime, 'stylistId'>) => stylistId === wanted.stylistId;
    // The own stylist does it already, whatever their list of services says.
    const own = keepsStylist ? (await readFree('', day)).filter(isOwn) : [];
    const others = (await readFree(wanted.service, day)).filter((one) => !isOwn(one));
    const able = [...own, ...others].flatMap(({ stylistId, spans }) => {
      const left = subtractSpans(spans, given.get(stylistId) ?? []);
      const fits = left.some(({ startMs, endMs }) => startMs <= wanted.startMs && endMs >= wanted.endMs);
      if (!fits) return [];
      const ofDay = left.map(
        ({ startMs, endMs }) => Math.min(endMs, day.endMs) - Math.max(startMs, day.startMs),
      );
      return [{ stylistId, freeMs: ofDay.reduce((sum, ms) => sum + Math.max(0, ms), 0) }];
    });
    const [most] = able.toSorted((one, other) => other.freeMs - one.freeMs);
    const best = able.find(isOwn) ?? most;
    if (best === undefined) return undefined;
    const { startMs, endMs } = wanted;
    given.set(best.stylistId, [...(given.get(best.stylistId) ?? []), { startMs, endMs }]);
    return best.stylistId;
  };
}
