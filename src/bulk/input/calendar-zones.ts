import ICAL from 'ical.js';
import { createZoneClock, isTimeZone } from '../../time/time.ts';
import windowsZones from '../../time/windows-zones.json' with { type: 'json' };
import type { ContentLine } from '../sheet/content-lines.ts';

/** A time of a calendar: the wall time that it says, and the instant that is, if it exists and its zone is known. */
export interface CalendarTime {
  /** Milliseconds as if it were UTC. */
  readonly wallMs: number;
  readonly isDay: boolean;
  readonly zone: CalendarZone | undefined;
  readonly ms: number | undefined;
}

/** The first instant with a wall time: the clock may show it twice, or skip it. */
type CalendarZone = (wallMs: number) => number | undefined;

const byWindowsName: ReadonlyMap<string, string> = new Map(Object.entries(windowsZones));

/** Reads times in zones by their IANA or Windows names, or by the rules that the file has. */
export function createCalendarZones(ownZone: string) {
  const zones = new Map<string, CalendarZone | undefined>();
  const rules = new Map<string, readonly ContentLine[]>();

  function zoneOf(id: string): CalendarZone | undefined {
    if (zones.has(id)) return zones.get(id);
    const lines = rules.get(id);
    const location = lines?.find(({ name }) => name === 'X-LIC-LOCATION')?.value;
    // Some programs put their own name before: /freeassociation.sourceforge.net/Europe/Berlin
    const names = [id, id.replace(/^.*\/(?=[^/]+\/[^/]+$)/, ''), byWindowsName.get(id), location];
    const name = names.find((one) => one !== undefined && isTimeZone(one));
    const zone = name === undefined ? lines && zoneOfRules(lines) : zoneOfName(name);
    zones.set(id, zone);
    return zone;
  }

  return {
    /** The lines of a VTIMEZONE. */
    add(lines: readonly ContentLine[]) {
      const id = lines.find(({ name }) => name === 'TZID')?.value;
      if (id !== undefined) rules.set(id, lines);
    },
    /** Undefined for a text that is no time. */
    read({ value, parameters }: Pick<ContentLine, 'value' | 'parameters'>): CalendarTime | undefined {
      const [, day = '', hours, minutes = '00', seconds = '00', utc] =
        /^(\d{8})(?:T(\d\d)(\d\d)(\d\d)?(Z)?)?$/i.exec(value.trim()) ?? [];
      const date = day.replace(/(....)(..)(..)/, '$1-$2-$3');
      const wallMs = Date.parse(`${date}T${hours ?? '00'}:${minutes}:${seconds}Z`);
      if (Number.isNaN(wallMs)) return undefined;
      const zone = utc === undefined ? zoneOf(parameters.get('TZID')?.[0] ?? ownZone) : (ms: number) => ms;
      return { wallMs, isDay: hours === undefined, zone, ms: zone?.(wallMs) };
    },
  };
}

function zoneOfName(name: string): CalendarZone {
  const clock = createZoneClock(name);
  return (wallMs) => clock.instants(wallMs)[0];
}

function zoneOfRules(lines: readonly ContentLine[]): CalendarZone | undefined {
  const text = ['BEGIN:VTIMEZONE', ...lines.map(({ name, value }) => `${name}:${value}`), 'END:VTIMEZONE'];
  try {
    const zone = new ICAL.Timezone(new ICAL.Component(ICAL.parse(text.join('\r\n'))));
    return (wallMs) => wallMs - 1000 * zone.utcOffset(toIcalTime(wallMs));
  } catch {
    return undefined;
  }
}

export function toIcalTime(wallMs: number): ICAL.Time {
  return ICAL.Time.fromDateTimeString(new Date(wallMs).toISOString().slice(0, 19));
}
