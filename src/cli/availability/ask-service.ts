import type { SalonClient } from '../../client/client.ts';
import { type Availability, maxAvailabilityDays } from '../../contract/availability.ts';
import { SalonError } from '../../contract/errors.ts';
import { dayMs, minuteMs, type TimeSpan, toUtcText } from '../../contract/time.ts';
import { isMisfit } from '../session/account.ts';
import type { CommandContext } from '../session/command-context.ts';
import { salonFacts } from './salon-facts.ts';

export interface AvailabilityQuery {
  /** Slots start in it. None is in the past. */
  readonly span: TimeSpan;
  readonly durationMinutes: number;
  /** Everybody who can be booked, if undefined. */
  readonly stylistIds?: readonly string[] | undefined;
  /** Leaves out stylists whose list of services does not contain it. */
  readonly service?: string | undefined;
  /** Minutes between the starts of slots; 15 if undefined. */
  readonly stepMinutes?: number | undefined;
  /** An appointment that is about to move. */
  readonly ignoreAppointmentId?: string | undefined;
}

/** A stylist, and when appointments of a duration can be booked. */
export interface FreeTime {
  readonly stylistId: string;
  /** The ID if the server does not list stylists. */
  readonly stylistName: string;
  readonly spans: readonly TimeSpan[];
}

/** Clients of servers that do not tell who is free. */
const silent = new WeakSet<SalonClient>();

/**
 * Who is free when, as the service tells it. Undefined where it does not: on another server, without a time zone or
 * hours, for hours that the service does not know, and for an appointment that is about to move.
 */
export async function askAvailability(
  context: CommandContext,
  { span, durationMinutes, service, stylistIds, ignoreAppointmentId }: AvailabilityQuery,
): Promise<readonly FreeTime[] | undefined> {
  const [client, { settings }] = [await context.client(), await context.session()];
  const hasOwnHours = !['salon', undefined].includes(settings.openingHours?.source);
  if (hasOwnHours || ignoreAppointmentId !== undefined || silent.has(client)) return undefined;
  const answers: Availability[] = [];
  try {
    for (const { startMs, endMs } of splitSpan(span, durationMinutes)) {
      const period = { from: toUtcText(startMs), to: toUtcText(endMs) };
      const query = { ...period, duration: durationMinutes, ...(service === undefined ? {} : { service }) };
      answers.push(await client.salon.availability(query));
    }
  } catch (thrown) {
    if (!isMisfit(thrown)) throw thrown;
    silent.add(client);
    return undefined;
  }
  const [{ time_zone: zone = '', only_stylist_id: own = null } = {}] = answers;
  const timeZone = await context.timeZone();
  if (zone !== timeZone) {
    salonFacts(context).sayOnce(`The salon is in ${zone}; times are those of ${timeZone}.`);
  }
  if (own !== null) assertSeen(stylistIds, own, context);
  const rows = answers.flatMap(({ data }) => data);
  const wanted = Map.groupBy(rows, ({ stylist_id: id }) => id);
  return [...wanted]
    .filter(([id]) => stylistIds?.includes(id) ?? true)
    .map(([stylistId, theirs]) => ({
      stylistId,
      stylistName: theirs[0]?.stylist_name ?? stylistId,
      spans: theirs.flatMap(({ intervals }) =>
        intervals.map(({ start_time: start, end_time: end }) => ({
          startMs: Date.parse(start),
          endMs: Date.parse(end),
        })),
      ),
    }));
}

/** Spans of at most as many days as a request may ask for. They overlap, so that no appointment is cut by an edge. */
function splitSpan({ startMs, endMs }: TimeSpan, durationMinutes: number): readonly TimeSpan[] {
  const lastMs = endMs + durationMinutes * minuteMs;
  const spans: TimeSpan[] = [];
  for (let fromMs = startMs; ; ) {
    const toMs = Math.min(lastMs, fromMs + maxAvailabilityDays * dayMs);
    spans.push({ startMs: fromMs, endMs: toMs });
    if (toMs === lastMs) return spans;
    fromMs = toMs - durationMinutes * minuteMs;
  }
}

/** Says that other calendars are not seen. Throws `permission_denied` if only others are asked for. */
export function assertSeen(
  stylistIds: readonly string[] | undefined,
  own: string,
  context: CommandContext,
): void {
  if (stylistIds !== undefined && !stylistIds.includes(own)) {
    throw new SalonError('permission_denied', "This API key can only see its own stylist's calendar.");
  }
  if (stylistIds?.length === 1) return;
  salonFacts(context).sayOnce("This API key can only see its own stylist's calendar. Others are not shown.");
}
