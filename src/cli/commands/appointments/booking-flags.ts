import type { Command } from 'commander';
import { type FieldValues, toDefinedFields } from '../../flags/fields.ts';
import { parseMinutes, parseStart } from '../../flags/moments.ts';
import type { WriteFlags } from '../../flags/options.ts';
import { parseAmountFlag } from '../../flags/values.ts';
import { readClock } from '../../output/format.ts';
import { requirePriceCurrency } from '../../session/account.ts';
import type { CommandContext } from '../../session/command-context.ts';

/** Flags for the fields of an appointment. */
export interface BookingFlags {
  readonly client?: string;
  readonly stylist?: string;
  readonly service?: string;
  readonly start?: string;
  readonly duration?: string;
  readonly status?: string;
  readonly price?: string;
  readonly notes?: string;
  readonly allowOverlap?: boolean;
  readonly allowBlocked?: boolean;
}

export function addBookingOptions(command: Command): Command {
  return command
    .option('--client <who>', 'Client: name, email, phone or ID')
    .option('--stylist <who>', 'Stylist: name or ID')
    .option('--service <name>', 'Service')
    .option('--start <when>', 'Start, e.g. "fri 3pm", "24.11. 15:00"')
    .option('--duration <time>', 'Duration, e.g. 45, 1h30m or PT45M')
    .option('--status <status>', 'Status, e.g. confirmed, arrived, completed')
    .option('--price <amount>', 'Price, e.g. 49.50 (default: that of the service)')
    .option('--notes <text>', 'Notes')
    .option('--allow-overlap', 'Book even if the stylist is busy')
    .option('--allow-blocked', 'Book even if the stylist is away');
}

/** Flags for a client who is added with the booking. */
export function addNewClientOptions(command: Command): Command {
  return command
    .option('--new-client <name>', 'Add a client and book for them')
    .option('--phone <number>', 'Phone number of the new client')
    .option('--allow-duplicate', 'Add the client even if one like that exists');
}

/** The fields that the flags give. */
export function toBookingFields(flags: BookingFlags): FieldValues {
  return toDefinedFields({
    client_id: flags.client,
    stylist_id: flags.stylist,
    service: flags.service,
    start_time: flags.start,
    duration: flags.duration,
    status: flags.status,
    price: flags.price,
    notes: flags.notes,
    allow_overlap: flags.allowOverlap,
    allow_blocked: flags.allowBlocked,
  });
}

/** Turns times and durations as people write them into those of the contract. Throws `usage`. */
export async function normaliseBooking(fields: FieldValues, context: CommandContext): Promise<FieldValues> {
  const { start_time, duration } = fields;
  const read = { ...(await readPrice(fields, context)) };
  if (typeof start_time === 'string') read['start_time'] = parseStart(start_time, await readClock(context));
  if (typeof duration === 'string') read['duration'] = parseMinutes(duration);
  return read;
}

/** The fields with the text of --price in minor units of the salon's currency. Throws `usage`. */
export async function readPrice(
  fields: FieldValues,
  context: CommandContext<WriteFlags>,
): Promise<FieldValues> {
  const { price } = fields;
  // --data is sent unchanged.
  if (typeof price !== 'string' || context.flags.data !== undefined) return fields;
  const currency = await requirePriceCurrency(context);
  return { ...fields, price: parseAmountFlag(price, { currency, flag: '--price' }) };
}
