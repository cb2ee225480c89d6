import type { XStatic } from 'typebox/schema';
import { create, type Endpoint, get, patch, put, remove } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import {
  bodyOf,
  type ChangeOf,
  contactFields,
  fromFilter,
  instantSchema,
  listOf,
  nameSchema,
  nullableIdInput,
  pagingQuery,
  queryOf,
  readOnlyFields,
  recordOf,
  sortBy,
} from './schemas.ts';

const writable = {
  first_name: nameSchema,
  last_name: nameSchema,
  ...contactFields,
  birthday: {
    type: ['string', 'null'],
    format: 'salon-birthday',
    description: 'YYYY-MM-DD, not in the future, or --MM-DD if the year is unknown.',
  },
  notes: { type: ['string', 'null'], maxLength: 4096 },
  preferred_stylist_id: nullableIdInput,
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
  sort: sortBy('created_at', 'updated_at', 'last_name'),
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
  force: { type: 'boolean', default: false, description: "Cancel the client's upcoming appointments first." },
});

/** Read-only fields of a client. */
export const readOnlyClientFields = ['id', 'created_at', 'updated_at'] as const;

export type Client = XStatic<typeof client>;
export type NewClient = XStatic<typeof newClient>;
export type ClientChange = ChangeOf<typeof clientChange>;
export type ClientQuery = XStatic<typeof clientQuery>;

const read = { action: 'clients.read', isTagged: true } as const;
const write = { action: 'clients.write', isTagged: true } as const;

export const clientEndpoints = {
  listClients: get('/clients', listOf(client), {
    ...read,
    isDocumented: true,
    summary: 'List clients',
    isStreamed: true,
    query: clientQuery,
  }),
  createClient: create('/clients', client, {
    ...write,
    isDocumented: true,
    summary: 'Add a client',
    body: newClient,
  }),
  getClient: get('/clients/:id', client, { ...read, summary: 'Get a client' }),
  updateClient: put('/clients/:id', client, {
    ...write,
    isDocumented: true,
    summary: 'Update a client',
    body: clientChange,
  }),
  patchClient: patch('/clients/:id', client, {
    ...write,
    summary: 'Update a client (same as PUT)',
    body: clientChange,
  }),
  deleteClient: remove('/clients/:id', {
    ...write,
    isDocumented: true,
    summary: 'Delete a client',
    action: 'clients.delete',
    query: clientRemovalQuery,
  }),
} as const satisfies Record<string, Endpoint>;
