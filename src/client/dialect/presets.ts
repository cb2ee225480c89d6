import { SalonError } from '../../contract/errors.ts';
import { type Fields, isFields } from '../json-object.ts';
import { type ResponseHeaders, readHeader } from '../response-headers.ts';
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

/**
 * Ready-made dialects: what the documentation of each kind of server promises. With an empty prefix the base URL is
 * the whole address. Paths, fields and filters of an installation may differ, and are configured on top.
 */
export const presets = {
  /** https://developer.squareup.com/reference/square/customers-api */
  square: {
    prefix: '/v2',
    resources: { clients: 'customers', appointments: 'bookings' },
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
    partialUpdates: true,
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

/** The ready-made dialect that a list shows; undefined if it shows none. */
export function recognisePreset({
  body,
  headers,
}: {
  readonly body: unknown;
  readonly headers: ResponseHeaders;
}): PresetName | undefined {
  if (Array.isArray(body))
    return readHeader(headers, 'content-range') === undefined ? undefined : 'postgrest';
  return signs.find(([, isIt]) => isFields(body) && isIt(body, headers))?.[0];
}

/** What only responses of one kind have; the documentation of each is cited beside its ready-made dialect. */
const signs: readonly (readonly [PresetName, (body: Fields, headers: ResponseHeaders) => boolean])[] = [
  ['stripe', (body) => body['object'] === 'list' && typeof body['has_more'] === 'boolean'],
  ['square', (body) => Array.isArray(body['customers']) && !('total' in body) && !('pagination' in body)],
  [
    'odata',
    (body) => Array.isArray(body['value']) && Object.keys(body).some((name) => name.startsWith('@odata.')),
  ],
  [
    'jsonapi',
    (body, headers) =>
      Array.isArray(body['data']) &&
      (/vnd\.api\+json/.test(readHeader(headers, 'content-type') ?? '') || isFields(body['jsonapi'])),
  ],
  ['spring', isSpring],
  [
    'django',
    (body) => Array.isArray(body['results']) && 'count' in body && 'next' in body && 'previous' in body,
  ],
  [
    'laravel',
    (body) => Array.isArray(body['data']) && 'current_page' in (isFields(body['meta']) ? body['meta'] : body),
  ],
];

/** `Page` and `PagedModel` of Spring Data, and Spring HATEOAS. */
function isSpring(body: Fields): boolean {
  const page = isFields(body['page']) ? body['page'] : body;
  const hasRows = Array.isArray(body['content']) || isFields(body['_embedded']) || isFields(body['_links']);
  return hasRows && 'totalPages' in page && 'number' in page;
}
