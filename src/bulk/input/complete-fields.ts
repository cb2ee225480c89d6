import type { Fields } from '../../client/json-object.ts';
import type { SalonService } from '../../contract/salon-service.ts';
import { foldText } from '../../text/search-text.ts';
import { readClockTime } from '../../time/clock-times.ts';
import { dayMs, minuteMs, parseInstant, type ZoneClock } from '../../time/time.ts';
import { otherPhones, type SheetForm, toLeftOut, UnclearCell } from '../sheet/sheet-form.ts';

export type ServiceDuration = Pick<SalonService, 'name' | 'duration'>;

export interface CompletionOptions extends Pick<SheetForm, 'parts'> {
  readonly keepsPhones?: boolean | undefined;
  readonly services?: readonly ServiceDuration[] | undefined;
}

interface Dates {
  readonly clock: ZoneClock;
  readonly toInstant: (cell: string, field: string, current: unknown) => string | UnclearCell;
}

/** Whether a new appointment lasts as long as its service: its row has neither a duration nor an end. */
export function lacksDuration(cells: Fields, { parts = [] }: Pick<SheetForm, 'parts'>): boolean {
  const fields = ['duration', ...parts.filter(({ role }) => role === 'end').map(({ field }) => field)];
  return fields.every((field) => String(cells[field] ?? '').trim() === '');
}

/** Adds what a row says in other cells than those of a field: the duration up to an end, and phones for the notes. */
export function createCompletion(
  { parts = [], keepsPhones = false, services = [] }: CompletionOptions,
  { clock, toInstant }: Dates,
) {
  const durations = new Map(services.map(({ name, duration }) => [foldText(name), duration]));
  const endField = parts.find(({ role }) => role === 'end')?.field ?? '';

  function toDuration(given: Fields, cells: Fields): unknown {
    const { duration, start_time: start } = given;
    const end = String(cells[endField] ?? '').trim();
    if (duration !== undefined || end === '' || typeof start !== 'string') return duration;
    const startMs = parseInstant(start)?.ms;
    const endMs = startMs === undefined ? undefined : toEnd(end, startMs);
    const minutes = ((endMs ?? Number.NaN) - (startMs ?? Number.NaN)) / minuteMs;
    if (Number.isInteger(minutes) && minutes > 0 && minutes <= dayMs / minuteMs) return minutes;
    return new UnclearCell(
      `The end ${end} is not a time after the start: write how long it takes, such as 45.`,
    );
  }

  function toEnd(end: string, startMs: number): number | undefined {
    const timeMs = readClockTime(end);
    if (timeMs === undefined) {
      const instant = toInstant(end, 'end_time', undefined);
      return typeof instant === 'string' ? parseInstant(instant)?.ms : undefined;
    }
    const startWallMs = clock.wall(startMs);
    return clock.instants(startWallMs - (startWallMs % dayMs) + timeMs).find((ms) => ms > startMs);
  }

  return (given: Fields, cells: Fields, record: Fields): Fields => {
    const duration = toDuration(given, cells) ?? durations.get(foldText(String(given['service'])));
    const phones = keepsPhones ? String(cells[toLeftOut(otherPhones)] ?? '') : '';
    const notes = given['notes'] === undefined ? record['notes'] : given['notes'];
    const text = typeof notes === 'string' ? notes : '';
    const isNew = phones !== '' && !text.split('\n').includes(phones);
    if (duration === undefined && !isNew) return given;
    return {
      ...given,
      ...(duration === undefined ? {} : { duration }),
      ...(isNew ? { notes: [text, phones].filter((part) => part !== '').join('\n') } : {}),
    };
  };
}
