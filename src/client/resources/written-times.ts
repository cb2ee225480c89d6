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

/** The fields of a write with the end of an appointment, where a server has no length, and local times if it has those. */
export function toWrittenTimes(
  given: Fields,
  { plural, current = {} }: Writing,
  { dialect, timeZone }: Pick<ApiContext, 'dialect' | 'timeZone'>,
): Fields {
  const { localTimes, map } = dialect.of(plural);
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
