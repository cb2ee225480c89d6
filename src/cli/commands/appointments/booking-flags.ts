import type { Command } from 'commander';
import { parseMoment } from '../../flags/days.ts';
import { parseMinutes } from '../../flags/duration.ts';
import { type Fields, toDefinedFields } from '../../flags/fields.ts';
import type { CommandContext } from '../../session/command-context.ts';

/** Flags that say what an appointment is like. */
export interface BookingFlags {
  readonly client?: string;
  readonly stylist?: string;
  readonly service?: string;
  readonly start?: string;
  readonly duration?: string;
  readonly status?: string;
  readonly notes?: string;
  readonly allowOverlap?: boolean;
}

export function addBookingOptions(command: Command): Command {
  return command
    .option('--client <id>', 'whose appointment it is')
    .option('--stylist <id>', 'whose time it takes')
    .option('--service <name>', 'what is booked')
    .option('--start <when>', 'an instant with a zone, or a time in the salon’s zone: 2026-11-24T10:30')
    .option('--duration <time>', 'how long: 45, 45m, 1h30m, PT45M')
    .option('--status <status>', 'how it stands; a new one is confirmed')
    .option('--notes <text>', 'anything worth remembering')
    .option('--allow-overlap', 'book although the stylist is taken');
}

/** The fields that the flags give. */
export function toBookingFields(flags: BookingFlags): Fields {
  return toDefinedFields({
    client_id: flags.client,
    stylist_id: flags.stylist,
    service: flags.service,
    start_time: flags.start,
    duration: flags.duration,
    status: flags.status,
    notes: flags.notes,
    allow_overlap: flags.allowOverlap,
  });
}

/** Times and durations as people write them become what the contract sends. Throws `usage`. */
export async function normaliseBooking(fields: Fields, { io, session }: CommandContext): Promise<Fields> {
  const { timeZone } = (await session()).settings;
  const { start_time, duration } = fields;
  const moment = (text: string) =>
    parseMoment(text, { now: io.now(), timeZone: timeZone.value, edge: 'start' });
  return {
    ...fields,
    ...(typeof start_time === 'string' ? { start_time: moment(start_time) } : {}),
    ...(typeof duration === 'string' ? { duration: parseMinutes(duration) } : {}),
  };
}
