import { SalonError } from '../../contract/errors.ts';
import type { Dialect } from './dialect.ts';

/** The contract's filters, none of which the server has. */
const noFilters = {
  q: null,
  email: null,
  phone: null,
  client_id: null,
  stylist_id: null,
  appointment_id: null,
  status: null,
  start_time_from: null,
  start_time_to: null,
  created_from: null,
  created_to: null,
  updated_since: null,
} as const;

const easyPerson = { first_name: 'firstName', last_name: 'lastName' } as const;

/**
 * Ready-made dialects: what the documentation of each kind of server promises. With an empty prefix the base URL is
 * the whole address. Paths, fields and filters of an installation may differ, and are configured on top.
 */
export const presets = {
  /** https://developer.squareup.com/reference/square/customers-api */
  square: {
    prefix: '/v2',
    resources: {
      clients: 'customers',
      appointments: 'bookings',
      stylists: 'bookings/team-member-booking-profiles',
    },
    paging: 'cursor',
    pageParameter: 'cursor',
    nextKey: 'cursor',
    perPageParameter: 'limit',
    perPage: 100,
    sortParameter: null,
    filterNames: {
      ...noFilters,
      client_id: 'customer_id',
      stylist_id: 'team_member_id',
      start_time_from: 'start_at_min',
      start_time_to: 'start_at_max',
    },
    // https://developer.squareup.com/reference/square/bookings-api/list-bookings: 31 days at a time.
    lists: {
      appointments: { mostDays: 31 },
      stylists: { rowsKey: 'team_member_booking_profiles', idKey: 'team_member_id' },
    },
    fields: {
      clients: {
        first_name: 'given_name',
        last_name: 'family_name',
        email: 'email_address',
        phone: 'phone_number',
        notes: 'note',
        external_id: 'reference_id',
      },
      stylists: { active: 'is_bookable' },
      appointments: {
        client_id: 'customer_id',
        start_time: 'start_at',
        stylist_id: 'appointment_segments.*.team_member_id',
        service: 'appointment_segments.*.service_variation_id',
        duration: 'appointment_segments.*.duration_minutes',
        notes: 'seller_note',
      },
      payments: {
        client_id: 'customer_id',
        amount: 'amount_money.amount',
        currency: 'amount_money.currency',
        tip_amount: 'tip_money.amount',
        refunded_amount: 'refunded_money.amount',
        method: 'source_type',
        reference: 'reference_id',
      },
    },
    statuses: {
      PENDING: 'pending',
      ACCEPTED: 'confirmed',
      CANCELLED_BY_SELLER: 'cancelled',
      CANCELLED_BY_CUSTOMER: 'cancelled',
      DECLINED: 'cancelled',
      NO_SHOW: 'no_show',
    },
    partialUpdates: true,
    // https://developer.squareup.com/docs/build-basics/common-api-patterns/clear-api-object-fields
    clearHeaders: { 'x-clear-null': 'true' },
    bodyKeys: { appointments: 'booking' },
    readOnlyFields: ['creation_source', 'version', 'group_ids', 'segment_ids'],
    idempotencyKeys: true,
    idempotencyField: 'idempotency_key',
  },
  /** https://docs.stripe.com/api/pagination */
  stripe: {
    prefix: '/v1',
    resources: { clients: 'customers', payments: 'payment_intents' },
    paging: 'last_id',
    pageParameter: 'starting_after',
    perPageParameter: 'limit',
    perPage: 100,
    sortParameter: null,
    filterNames: { ...noFilters, email: 'email', client_id: 'customer' },
    fields: {
      clients: { notes: 'description', created_at: 'created' },
      payments: { client_id: 'customer', created_at: 'created', reference: 'description' },
    },
    updateMethod: 'POST',
    partialUpdates: true,
    bodyFormat: 'form',
    readOnlyFields: [
      'object',
      'created',
      'livemode',
      'currency',
      'default_currency',
      'default_source',
      'delinquent',
      'discount',
    ],
    idempotencyKeys: true,
  },
  /** https://docs.spring.io/spring-data/rest/reference/paging-and-sorting.html */
  spring: {
    prefix: '',
    paging: 'page',
    firstPage: 0,
    perPageParameter: 'size',
    sortAscending: '{field},asc',
    sortDescending: '{field},desc',
  },
  /** https://docs.oasis-open.org/odata/odata/v4.01/odata-v4.01-part1-protocol.html ($top limits the whole result) */
  odata: {
    prefix: '',
    headers: { prefer: 'odata.maxpagesize=200' },
    resources: {
      clients: 'Clients',
      appointments: 'Appointments',
      stylists: 'Stylists',
      payments: 'Payments',
    },
    itemPath: '/{resource}({key})',
    paging: 'link',
    pageParameter: null,
    perPageParameter: null,
    listParameters: { $count: 'true' },
    nextKey: '@odata.nextLink',
    rowsKey: 'value',
    totalKey: '@odata.count',
    sortParameter: '$orderby',
    sortAscending: '{field} asc',
    sortDescending: '{field} desc',
    filterStyle: 'odata',
    filterNames: { q: null },
    updateMethod: 'PATCH',
    partialUpdates: true,
  },
  /** https://docs.postgrest.org/en/stable/references/api/pagination_count.html (without an order, rows have none) */
  postgrest: {
    prefix: '',
    headers: { prefer: 'count=exact,return=representation' },
    itemPath: '/{resource}?id=eq.{id}',
    paging: 'offset',
    pageParameter: 'offset',
    perPageParameter: 'limit',
    perPage: 1_000,
    listParameters: { order: 'id.asc' },
    rowsKey: null,
    sortParameter: 'order',
    sortAscending: '{field}.asc',
    sortDescending: '{field}.desc',
    filterStyle: 'postgrest',
    filterNames: { q: null },
    updateMethod: 'PATCH',
    partialUpdates: true,
  },
  /** https://jsonapi.org/format/1.1/ */
  jsonapi: {
    prefix: '',
    headers: { accept: 'application/vnd.api+json', 'content-type': 'application/vnd.api+json' },
    paging: 'page',
    pageParameter: 'page[number]',
    perPageParameter: 'page[size]',
    perPage: 100,
    fieldsKey: 'attributes',
    filterStyle: 'brackets',
    updateMethod: 'PATCH',
    partialUpdates: true,
    bodyFormat: 'jsonapi',
  },
  /** https://laravel.com/docs/12.x/eloquent-resources#pagination */
  laravel: {
    prefix: '',
    headers: { accept: 'application/json' },
    paging: 'page',
    perPage: 100,
  },
  /** https://www.django-rest-framework.org/api-guide/pagination/ (the default router ends every path with a slash) */
  django: {
    prefix: '',
    listPath: '/{resource}/',
    itemPath: '/{resource}/{id}/',
    paging: 'page',
    perPageParameter: 'page_size',
    perPage: 100,
    rowsKey: 'results',
    totalKey: 'count',
    sortParameter: 'ordering',
    filterStyle: 'django',
    filterNames: { q: 'search' },
    updateMethod: 'PATCH',
    partialUpdates: true,
  },
  /** https://easyappointments.org/documentation/rest-api/ */
  easyappointments: {
    prefix: '/index.php/api/v1',
    resources: { clients: 'customers', stylists: 'providers' },
    paging: 'page',
    perPageParameter: 'length',
    perPage: 100,
    rowsKey: null,
    totalKey: null,
    sortAscending: '+{field}',
    filterNames: { ...noFilters, q: 'q', client_id: 'customerId', stylist_id: 'providerId' },
    fields: {
      clients: easyPerson,
      stylists: easyPerson,
      appointments: {
        client_id: 'customerId',
        stylist_id: 'providerId',
        service: 'serviceId',
        start_time: 'start',
        end_time: 'end',
        created_at: 'book',
      },
      // Not in minor units.
      services: { price: null },
    },
    statuses: {
      Booked: 'confirmed',
      Confirmed: 'confirmed',
      Rescheduled: 'confirmed',
      '': 'confirmed',
      Draft: 'pending',
      Cancelled: 'cancelled',
    },
    localTimes: true,
    failuresAreRefusals: true,
    readOnlyFields: ['hash'],
  },
} as const satisfies Readonly<Record<string, Partial<Dialect>>>;

export type PresetName = keyof typeof presets;

/** Those that ran against the software itself (test/other-servers/real); the others are by its documentation. */
export const provenPresets: readonly PresetName[] = ['django'];

/** For help and choices. */
export const presetNames = Object.keys(presets) as readonly PresetName[];

/** The ready-made dialect of that name. Throws `usage`. */
export function readPreset(name: string): Partial<Dialect> {
  if (Object.hasOwn(presets, name)) return presets[name as PresetName];
  throw new SalonError('usage', `"${name}" is not a ready-made dialect.`, {
    hint: `Use one of ${presetNames.join(', ')}, or a JSON file.`,
  });
}
