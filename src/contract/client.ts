import type { XStatic } from 'typebox/schema';
import type { Endpoint } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import {
  bodyOf,
  contactFields,
  fromFilter,
  instantSchema,
  listOf,
  nameSchema,
  pagingQuery,
  queryOf,
  readOnlyFields,
  recordOf,
  sortDescription,
} from './schemas.ts';

const writable = {
  first_name: nameSchema,
  last_name: nameSchema,
  ...contactFields,
  birthday: { type: ['string', 'null'], format: 'date', description: 'YYYY-MM-DD, not in the future.' },
  notes: { type: ['string', 'null'], maxLength: 4096 },
  preferred_stylist_id: { type: ['string', 'null'], minLength: 1, maxLength: 64 },
  tags: { type: 'array', maxItems: 20, items: { type: 'string', minLength: 1, maxLength: 50 } },
  email_marketing_consent: { type: 'boolean' },
  sms_marketing_consent: { type: 'boolean' },
  external_id: { type: ['string', 'null'], maxLength: 200, description: 'Your own ID for this client.' },
} as const;

/** A client in a response. */
export const client = recordOf('Client', {
  id: idSchema('client'),
  ...writable,
  created_at: instantSchema,
  updated_at: instantSchema,
});

/** The body that adds a client: at least a first name, last name, email address or phone number. */
export const newClient = bodyOf({ title: 'NewClient', minProperties: 1 }, writable);

/** The body that changes a client: missing fields keep their value, `null` clears one, read-only fields are ignored. */
export const clientChange = bodyOf({ title: 'ClientChange' }, { ...writable, ...readOnlyFields });

export const clientQuery = queryOf({
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
    description:
      'Words that are part of a name or email address, in any order, or part of a phone number. Ignores case and accents; national phone numbers find international ones.',
  },
  email: { type: 'string', minLength: 1, maxLength: 254 },
  phone: { type: 'string', minLength: 1, maxLength: 64 },
  updated_since: fromFilter,
});

const clientRemovalQuery = queryOf({
  force: {
    type: 'boolean',
    default: false,
    description: "Cancel the client's upcoming appointments first.",
  },
});

/** Read-only fields of a client. */
export const readOnlyClientFields = ['id', 'created_at', 'updated_at'] as const;

export type Client = XStatic<typeof client>;
export type NewClient = XStatic<typeof newClient>;
export type ClientChange = Omit<XStatic<typeof clientChange>, (typeof readOnlyClientFields)[number]>;
export type ClientQuery = XStatic<typeof clientQuery>;

export const clientEndpoints = {
  listClients: {
    method: 'GET',
    path: '/clients',
    isDocumented: true,
    summary: 'List clients',
    action: 'clients.read',
    isStreamed: true,
    query: clientQuery,
    success: { status: 200, body: listOf(client) },
  },
  createClient: {
    method: 'POST',
    path: '/clients',
    isDocumented: true,
    summary: 'Add a client',
    action: 'clients.write',
    isTagged: true,
    body: newClient,
    success: { status: 201, body: client },
  },
  getClient: {
    method: 'GET',
    path: '/clients/:id',
    summary: 'Get a client',
    action: 'clients.read',
    isTagged: true,
    success: { status: 200, body: client },
  },
  updateClient: {
    method: 'PUT',
    path: '/clients/:id',
    isDocumented: true,
    summary: 'Update a client',
    action: 'clients.write',
    isTagged: true,
    body: clientChange,
    success: { status: 200, body: client },
  },
  patchClient: {
    method: 'PATCH',
    path: '/clients/:id',
    summary: 'Update a client (same as PUT)',
    action: 'clients.write',
    isTagged: true,
    body: clientChange,
    success: { status: 200, body: client },
  },
  deleteClient: {
    method: 'DELETE',
    path: '/clients/:id',
    isDocumented: true,
    summary: 'Delete a client',
    action: 'clients.delete',
    isTagged: true,
    query: clientRemovalQuery,
    success: { status: 204 },
  },
} as const satisfies Record<string, Endpoint>;
