import type { XStatic } from 'typebox/schema';
import { type Endpoint, endpointsOf } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import {
  bodyOf,
  type ChangeOf,
  contactFields,
  fromFilter,
  listQueryOf,
  nameSchema,
  nullableIdInput,
  queryOf,
  readOnlyFields,
  recordOf,
  sortBy,
  stamps,
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
  ...stamps,
});

/** The body that adds a client: at least a first name, last name, email address or phone number. */
export const newClient = bodyOf({ title: 'NewClient', minProperties: 1 }, writable);

/** The body that changes a client: missing fields keep their value, `null` clears one, read-only fields are ignored. */
export const clientChange = bodyOf({ title: 'ClientChange' }, { ...writable, ...readOnlyFields });

const clientQuery = listQueryOf({
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

const at = endpointsOf('/clients', 'clients', { record: client });

export const clientEndpoints = {
  listClients: at.list('List clients', clientQuery, { isDocumented: true, isStreamed: true }),
  createClient: at.create('Add a client', newClient, { isDocumented: true }),
  getClient: at.get('Get a client'),
  updateClient: at.put('Update a client', clientChange, { isDocumented: true }),
  patchClient: at.patch('Update a client (same as PUT)', clientChange),
  deleteClient: {
    ...at.remove('Delete a client'),
    isDocumented: true,
    action: 'clients.delete',
    query: clientRemovalQuery,
  },
} as const satisfies Record<string, Endpoint>;
