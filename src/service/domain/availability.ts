import { type Availability, maxAvailabilityDays } from '../../contract/availability.ts';
import type { QueryOf } from '../../contract/endpoints.ts';
import { SalonError, type Violation } from '../../contract/errors.ts';
import type { SalonSettings } from '../../contract/salon.ts';
import { type Stylist, selectOffering } from '../../contract/stylist.ts';
import { compareNames, foldText } from '../../text/search-text.ts';
import { findOpenSpans, intersectSpans, subtractSpans } from '../../time/spans.ts';
import { createZoneClock, dayMs, isTimeZone, minuteMs, type TimeSpan, toUtcText } from '../../time/time.ts';
import { parseWeekHours } from '../../time/week-hours.ts';
import type { Reader } from '../db/engine.ts';
import { readBusyTime } from '../db/records/appointments.ts';
import { readRecordTexts, readServiceByName } from '../db/records/records.ts';
import { authorize } from './authorization.ts';
import { toStylistName } from './booking.ts';
import type { Context } from './context.ts';
import { readSettings } from './salon-settings.ts';
import { assertStorableQuery, assertValidQuery, invalidParameter, parseBound } from './validation.ts';

type Query = QueryOf<'getAvailability'>;

/**
 * Who can be booked when: in working and opening hours, from now on, clear of appointments and blocked time. A stylist's
 * key sees only that calendar. Throws `invalid_parameter`, and `salon_settings_missing` without a time zone or hours.
 */
export async function getAvailability(
  { database, environment, caller }: Context,
  query: Query,
): Promise<Availability> {
  const access = authorize(caller, 'getAvailability');
  assertStorableQuery(query);
  const span = parseSpan(query, environment.now().getTime());
  const accountId = caller.account.id;
  const reader = database.scan(accountId);
  const only = access === 'own' ? (caller.stylistId ?? '') : query.stylist_id;
  const [salon, records, busy, duration] = await Promise.all([
    readSettings(reader, accountId),
    readRecordTexts(reader, 'stylists', { account_id: accountId }),
    readBusyTime(reader, { accountId, stylistId: only, ...span }),
    query.duration ?? readUsualDuration(reader, accountId, query.service),
  ]);
  const stylists = selectStylists(
    records.map((text) => JSON.parse(text)),
    { ...query, own: access === 'own' ? only : undefined },
  );
  const { time_zone, findHours } = requireHours(salon, stylists, span);
  return {
    time_zone,
    only_stylist_id: access === 'own' ? caller.stylistId : null,
    data: stylists.map((stylist) => ({
      stylist_id: stylist.id,
      stylist_name: toStylistName(stylist),
      intervals: subtractSpans(findHours(stylist), busy.get(stylist.id) ?? [])
        .filter(({ startMs, endMs }) => endMs - startMs >= duration * minuteMs)
        .map(({ startMs, endMs }) => ({ start_time: toUtcText(startMs), end_time: toUtcText(endMs) })),
    })),
  };
}

/** How long a service of the list takes, in minutes. Throws `invalid_parameter`. */
async function readUsualDuration(reader: Reader, accountId: string, name = ''): Promise<number> {
  const found = await readServiceByName(reader, { accountId, nameKey: foldText(name) });
  if (found?.active === true) return found.duration;
  const detail = 'duration is required, unless a service of the list is given.';
  if (name === '') throw invalidParameter('duration', detail, 'required');
  throw invalidParameter('service', `"${name}" is not in the list of services. ${detail}`, 'not_found');
}

/** The time asked about, from the next full minute on. */
function parseSpan(query: Query, nowMs: number): TimeSpan {
  const violations: Violation[] = [];
  const from = parseBound('from', query.from, violations) ?? 0;
  const to = parseBound('to', query.to, violations) ?? 0;
  assertValidQuery(violations);
  const days = (to - from) / dayMs;
  if (days <= 0 || days > maxAvailabilityDays) {
    const detail = `to must be after from, by at most ${maxAvailabilityDays} days.`;
    throw invalidParameter('to', detail, 'out_of_range');
  }
  const startMs = Math.max(from, Math.ceil(nowMs / minuteMs) * minuteMs);
  return { startMs, endMs: Math.max(startMs, to) };
}

/** The active stylists that a query asks for. Throws `invalid_parameter` for one who cannot be booked. */
function selectStylists(
  all: readonly Stylist[],
  { stylist_id: id, service, own }: Query & { readonly own: string | undefined },
): readonly Stylist[] {
  const active = all.filter((stylist) => stylist.active && (own === undefined || stylist.id === own));
  if (id !== undefined && !active.some((stylist) => stylist.id === id)) {
    throw invalidParameter('stylist_id', 'stylist_id is not the ID of an active stylist.', 'not_found');
  }
  const wanted = active.filter((stylist) => id === undefined || stylist.id === id);
  const able = service === undefined ? wanted : selectOffering(wanted, service, all);
  return able.toSorted((a, b) => compareNames(toStylistName(a), toStylistName(b)));
}

/** Finds when stylists work while the salon is open. Throws `salon_settings_missing`. */
function requireHours(
  { time_zone, opening_hours }: SalonSettings,
  stylists: readonly Stylist[],
  span: TimeSpan,
) {
  const opening = parseWeekHours(opening_hours ?? '');
  const needsOpening = stylists.some(({ working_hours }) => working_hours === null);
  const missing: string[] = [];
  if (time_zone === null) missing.push('time_zone');
  if (opening === undefined && needsOpening) missing.push('opening_hours');
  if (time_zone === null || missing.length > 0) {
    const detail = `The salon has no ${missing.join(' and no ')}.`;
    throw new SalonError('salon_settings_missing', detail, { members: { missing } });
  }
  // Another process, with a newer Node, may have set it.
  if (!isTimeZone(time_zone)) {
    const detail = `The service does not know the time zone ${time_zone}.`;
    throw new SalonError('salon_settings_missing', detail, { members: { missing: ['time_zone'] } });
  }
  const zone = createZoneClock(time_zone);
  const open = opening === undefined ? [span] : intersectSpans(findOpenSpans(opening, span, zone), [span]);
  const known = new Map<string | null, readonly TimeSpan[]>([[null, open]]);
  const findHours = ({ working_hours: hours }: Stylist): readonly TimeSpan[] => {
    const found =
      known.get(hours) ?? intersectSpans(findOpenSpans(parseWeekHours(hours ?? '') ?? [], span, zone), open);
    known.set(hours, found);
    return found;
  };
  return { time_zone, findHours };
}
