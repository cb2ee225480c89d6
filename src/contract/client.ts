import type { XStatic } from 'typebox/schema';
import type { Endpoint } from './endpoint.ts';
import { identifierSchema } from './identifiers.ts';
import { listOf, pagingQuery, sortDescription } from './list.ts';
import { instantSchema } from './time.ts';

const name = { type: ['string', 'null'], maxLength: 100 } as const;
const writable = {
  first_name: name,
  last_name: name,
  email: {
    type: ['string', 'null'],
    format: 'salon-email',
    maxLength: 254,
    description: 'Stored in lower case.',
  },
  phone: {
    type: ['string', 'null'],
    format: 'salon-phone',
    maxLength: 64,
    description: 'An optional + and 7 to 15 digits; spaces, dots, dashes and brackets are removed.',
  },
  birthday: { type: ['string', 'null'], format: 'date', description: 'YYYY-MM-DD, not in the future.' },
  notes: { type: ['string', 'null'], maxLength: 4096 },
  preferred_stylist_id: { type: ['string', 'null'], minLength: 1, maxLength: 64 },
  tags: { type: 'array', maxItems: 20, items: { type: 'string', minLength: 1, maxLength: 50 } },
  email_marketing_consent: { type: 'boolean' },
  sms_marketing_consent: { type: 'boolean' },
  external_id: {
    type: ['string', 'null'],
    maxLength: 200,
    description: 'Your own identifier for this client.',
  },
} as const;

/** One client, as the service answers it. */
export const client = {
  title: 'Client',
  type: 'object',
  required: [
    'id',
    'first_name',
    'last_name',
    'email',
    'phone',
    'birthday',
    'notes',
    'preferred_stylist_id',
    'tags',
    'email_marketing_consent',
    'sms_marketing_consent',
    'external_id',
    'created_at',
    'updated_at',
  ],
  additionalProperties: false,
  properties: {
    id: identifierSchema('client'),
    ...writable,
    created_at: instantSchema,
    updated_at: instantSchema,
  },
} as const;

/** What a new client is made from: at least one of the names, the e-mail address and the phone number. */
export const newClient = {
  title: 'NewClient',
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: writable,
} as const;

/** A change of a client: fields left out stay, `null` clears; what only the service sets is passed over. */
export const clientChange = {
  title: 'ClientChange',
  type: 'object',
  additionalProperties: false,
  properties: { ...writable, id: {}, created_at: {}, updated_at: {} },
} as const;

/** Filters, order and paging of the client list. */
export const clientQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...pagingQuery,
    sort: {
      type: 'string',
      enum: ['created_at', '-created_at', 'updated_at', '-updated_at', 'last_name', '-last_name'],
      description: sortDescription,
    },
    q: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'Part of a name, e-mail address or phone.',
    },
    email: { type: 'string', minLength: 1, maxLength: 254 },
    phone: { type: 'string', minLength: 1, maxLength: 64 },
    updated_since: { type: 'string', description: 'Inclusive: an instant with a zone, or a day in UTC.' },
  },
} as const;

/** How a client is removed. */
export const clientRemovalQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    force: { type: 'boolean', default: false, description: 'Cancel the upcoming appointments first.' },
  },
} as const;

export const clientList = listOf(client);

/** Members of a client record that only the service sets. */
export const readOnlyClientFields = ['id', 'created_at', 'updated_at'] as const;

export type Client = XStatic<typeof client>;
export type NewClient = XStatic<typeof newClient>;
export type ClientChange = Omit<XStatic<typeof clientChange>, (typeof readOnlyClientFields)[number]>;
export type ClientQuery = XStatic<typeof clientQuery>;

/** What can be done with clients. */
export const clientEndpoints = {
  listClients: {
    method: 'GET',
    path: '/clients',
    standing: 'documented',
    summary: 'List clients',
    scope: 'clients:read',
    action: 'clients.read',
    query: clientQuery,
    success: { status: 200, body: clientList },
  },
  createClient: {
    method: 'POST',
    path: '/clients',
    standing: 'documented',
    summary: 'Add a client',
    scope: 'clients:write',
    action: 'clients.write',
    isTagged: true,
    body: newClient,
    success: { status: 201, body: client },
  },
  getClient: {
    method: 'GET',
    path: '/clients/:id',
    standing: 'extension',
    summary: 'Read one client',
    scope: 'clients:read',
    action: 'clients.read',
    isTagged: true,
    success: { status: 200, body: client },
  },
  updateClient: {
    method: 'PUT',
    path: '/clients/:id',
    standing: 'documented',
    summary: 'Update a client',
    scope: 'clients:write',
    action: 'clients.write',
    isTagged: true,
    body: clientChange,
    success: { status: 200, body: client },
  },
  patchClient: {
    method: 'PATCH',
    path: '/clients/:id',
    standing: 'extension',
    summary: 'Update a client, as PUT does',
    scope: 'clients:write',
    action: 'clients.write',
    isTagged: true,
    body: clientChange,
    success: { status: 200, body: client },
  },
  deleteClient: {
    method: 'DELETE',
    path: '/clients/:id',
    standing: 'documented',
    summary: 'Remove a client',
    scope: 'clients:write',
    action: 'clients.delete',
    isTagged: true,
    query: clientRemovalQuery,
    success: { status: 204 },
  },
} as const satisfies Record<string, Endpoint>;
