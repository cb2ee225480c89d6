import { json, type Received, type Reply } from '../misbehaving-server.ts';
import { createClientStore, type Row } from './client-store.ts';
import { notAllowed, omit, readObject } from './other-server.ts';

interface Rules {
  answerPage(
    rows: readonly Row[],
    page: { readonly limit: unknown; readonly cursor: unknown },
    noun: string,
  ): Reply;
  fail(status: number, category: string, code: string): Reply;
}

const dayMs = 86_400_000;
const firstMs = Date.UTC(2026, 2, 1, 9);

/**
 * Square's Bookings API: https://developer.squareup.com/reference/square/bookings-api. A list covers the 31 days from
 * `start_at_min`, or from now, and at most 31 days up to `start_at_max`; a change keeps what is left out, except in segments.
 */
export function createBookings(count: number, { answerPage, fail }: Rules) {
  const invalid = () => fail(400, 'INVALID_REQUEST_ERROR', 'INVALID_TIME_RANGE');
  const notFound = () => fail(404, 'INVALID_REQUEST_ERROR', 'NOT_FOUND');
  const store = createClientStore({
    count,
    toId: (number) => `zkras0xv0xwswx${number}`,
    toRow: (_person, number) => ({
      version: 0,
      status: ['ACCEPTED', 'PENDING', 'CANCELLED_BY_CUSTOMER', 'NO_SHOW'][number % 4],
      // Every third day at nine, so that spans of 31 days begin at a booking.
      start_at: new Date(firstMs + (number - 1) * 3 * dayMs).toISOString().replace('.000', ''),
      location_id: 'LEQH0YY8B42M6',
      customer_id: `JDKYHBWT1D4F8MFH63DB${String((number % 5) + 1).padStart(6, '0')}`,
      appointment_segments: [
        {
          duration_minutes: 30 + 15 * (number % 3),
          service_variation_id: 'RU3PBTZTK7DXZDQFCJHOK2MC',
          team_member_id: `TMXUrsBWWcHTt79${number % 2}`,
          service_variation_version: 1599775456731,
        },
      ],
    }),
  });
  const profiles = ['0', '1'].map((digit) => ({
    team_member_id: `TMXUrsBWWcHTt79${digit}`,
    display_name: digit === '0' ? 'Sandbox Seller' : 'Jo Stylist',
    is_bookable: digit === '0',
  }));
  return { all: store.all, handle };

  function handle(request: Received): Reply {
    const [, , , id, action] = request.path.split('/');
    if (id === 'team-member-booking-profiles') return handleProfiles(request, action);
    if (id !== undefined) return handleOne(request, id, action);
    return request.method === 'GET' ? list(request) : notAllowed('GET');
  }

  function handleProfiles({ method, query }: Received, id: string | undefined): Reply {
    if (method !== 'GET') return notAllowed('GET');
    if (id === undefined)
      return answerPage(
        profiles,
        { limit: query.get('limit'), cursor: query.get('cursor') },
        'team_member_booking_profiles',
      );
    const profile = profiles.find(({ team_member_id }) => team_member_id === id);
    return profile === undefined ? notFound() : json({ team_member_booking_profile: profile });
  }

  function list({ query }: Received): Reply {
    const fromMs = query.has('start_at_min') ? Date.parse(query.get('start_at_min') ?? '') : Date.now();
    const toMs = query.has('start_at_max')
      ? Date.parse(query.get('start_at_max') ?? '')
      : fromMs + 31 * dayMs;
    if (!(toMs >= fromMs && toMs - fromMs <= 31 * dayMs)) return invalid();
    const rows = store.all().filter((row) => {
      const atMs = Date.parse(String(row['start_at']));
      const [customer, member] = [query.get('customer_id'), query.get('team_member_id')];
      const segments = JSON.stringify(row['appointment_segments']);
      // Both ends belong to the range.
      if (atMs < fromMs || atMs > toMs) return false;
      return (customer === null || row['customer_id'] === customer) && segments.includes(member ?? '');
    });
    return answerPage(rows, { limit: query.get('limit'), cursor: query.get('cursor') }, 'bookings');
  }

  function handleOne(request: Received, id: string, action: string | undefined): Reply {
    const booking = store.find(id);
    if (booking === undefined) return notFound();
    if (request.method === 'GET') return json({ booking });
    const version = Number(booking['version']) + 1;
    if (request.method === 'POST' && action === 'cancel')
      return json({ booking: store.replace(id, { ...booking, status: 'CANCELLED_BY_SELLER', version }) });
    if (request.method !== 'PUT') return notAllowed('GET, PUT');
    const given = readObject(request)?.['booking'] as Row | undefined;
    const changed = { ...booking, ...omit(given ?? {}, ['id', 'status']), version };
    return json({ booking: store.replace(id, changed) });
  }
}
