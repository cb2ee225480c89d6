import type { BookingFlags } from '../../flags/booking-flags.ts';
import { type FieldValues, toDefinedFields } from '../../flags/fields.ts';
import { parseMinutes, parseStart } from '../../flags/moments.ts';
import type { WriteFlags } from '../../flags/options.ts';
import { parseAmountFlag } from '../../flags/values.ts';
import { readClock } from '../../output/format.ts';
import { requirePriceCurrency } from '../../session/account.ts';
import type { CommandContext } from '../../session/command-context.ts';

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
