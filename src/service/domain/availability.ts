import { type Availability, maxAvailabilityDays } from '../../contract/availability.ts';
import type { QueryOf } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { findOpenSpans, intersectSpans, subtractSpans } from '../../contract/free-time.ts';
import type { Salon } from '../../contract/salon.ts';
import { foldText } from '../../contract/search-text.ts';
import { type Stylist, selectOffering } from '../../contract/stylist.ts';
import { createZoneClock, dayMs, minuteMs, type TimeSpan, toUtcText } from '../../contract/time.ts';
import { parseWeekHours } from '../../contract/week-hours.ts';
import type { Reader } from '../db/engine.ts';
import { readBusyTime } from '../db/records/appointments.ts';
import { readServiceByName, readStylistRecords } from '../db/records/records.ts';
import { authorize } from './authorization.ts';
import { toStylistName } from './booking-conflicts.ts';
import type { Context } from './context.ts';
import { readSettings } from './salon-settings.ts';
import { assertStorableQuery, assertValidQuery, invalidQuery, parseRangeBound } from './validation.ts';

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
    readStylistRecords(reader, accountId),
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
  const [parameter, code] = name === '' ? ['duration', 'required'] : ['service', 'not_found'];
  const unknown = name === '' ? '' : `"${name}" is not in the list of services. `;
  const detail = `${unknown}duration is required, unless a service of the list is given.`;
  throw invalidQuery([{ parameter, code, detail }]);
}

/** The time asked about, from the next full minute on. */
function parseSpan(query: Query, nowMs: number): TimeSpan {
  const bounds = { from: parseRangeBound(query.from, 'begin'), to: parseRangeBound(query.to, 'end') };
  assertValidQuery(
    (['from', 'to'] as const)
      .filter((name) => bounds[name] === undefined)
      .map((parameter) => {
        const detail = `${parameter} must be an RFC 3339 time with a time zone, or a date.`;
        return { parameter, code: 'invalid_format', detail };
      }),
  );
  const { from = 0, to = 0 } = bounds;
  const days = (to - from) / dayMs;
  if (days <= 0 || days > maxAvailabilityDays) {
    const detail = `to must be after from, by at most ${maxAvailabilityDays} days.`;
    throw invalidQuery([{ parameter: 'to', code: 'out_of_range', detail }]);
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
    const detail = 'stylist_id is not the ID of an active stylist.';
    throw invalidQuery([{ parameter: 'stylist_id', code: 'not_found', detail }]);
  }
  const wanted = active.filter((stylist) => id === undefined || stylist.id === id);
  const able = service === undefined ? wanted : selectOffering(wanted, service, all);
  return able.toSorted((a, b) => compare(toStylistName(a), toStylistName(b)) || compare(a.id, b.id));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Finds when stylists work while the salon is open. Throws `salon_settings_missing`. */
function requireHours({ time_zone, opening_hours }: Salon, stylists: readonly Stylist[], span: TimeSpan) {
  const opening = parseWeekHours(opening_hours ?? '');
  const needsOpening = stylists.some(({ working_hours }) => working_hours === null);
  const missing = [
    ...(time_zone === null ? ['time_zone'] : []),
    ...(opening === undefined && needsOpening ? ['opening_hours'] : []),
  ];
  if (time_zone === null || missing.length > 0) {
    const detail = `The salon has no ${missing.join(' and no ')}.`;
    throw new SalonError('salon_settings_missing', detail, { members: { missing } });
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
