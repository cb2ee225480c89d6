import { SalonError } from '../../contract/errors.ts';
import { createZoneClock, minuteMs } from '../../time/time.ts';
import type { ApiContext } from '../api-context.ts';
import type { Fields } from '../json-object.ts';
import { readAppointment, readInstant } from '../read-appointment.ts';

const timeFields = ['start_time', 'end_time'];

interface Writing {
  readonly plural: string;
  /** The record before the change, if it was read. */
  readonly current?: Fields | undefined;
}

/**
 * The fields of a write with the end of an appointment, where a server has no length, and local times if it has those.
 * Throws `usage` for a birthday without a year where the server takes none.
 */
export function toWrittenTimes(
  given: Fields,
  { plural, current = {} }: Writing,
  { dialect, timeZone }: Pick<ApiContext, 'dialect' | 'timeZone'>,
): Fields {
  const { localTimes, map, birthdayWithoutYear } = dialect.of(plural);
  const { birthday } = given;
  if (birthdayWithoutYear === null && String(birthday).startsWith('--'))
    throw new SalonError('usage', `${birthday} has no year, and this server takes no such birthday.`, {
      hint: 'Write the year. If the server takes such birthdays, say how: birthday_without_year in its dialect.',
    });
  const isMoved = map?.hasEnd === true && ('start_time' in given || 'duration' in given);
  if (!isMoved && !localTimes) return given;
  const zone = createZoneClock(timeZone());
  const reading = isMoved ? readAppointment({ ...current, end_time: null, ...given }, zone) : undefined;
  const { startMs = 0, minutes } = reading && 'appointment' in reading ? reading.appointment : {};
  const { duration: _length, ...others } = given;
  const end_time = new Date(startMs + (minutes ?? 0) * minuteMs).toISOString();
  const fields: Fields = minutes === undefined ? given : { ...others, end_time };
  if (!localTimes) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, timeFields.includes(name) ? toLocal(value) : value]),
  );

  function toLocal(value: unknown): unknown {
    const instant = readInstant(value, zone);
    if (instant === undefined) return value;
    return new Date(zone.wall(instant.ms)).toISOString().slice(0, 19).replace('T', ' ');
  }
}
