import type { XStatic } from 'typebox/schema';
import type { Endpoint } from './endpoint.ts';
import { identifierSchema } from './identifiers.ts';
import { listOf, pagingQuery, sortDescription } from './list.ts';
import { instantSchema } from './time.ts';

const name = { type: ['string', 'null'], maxLength: 100 } as const;
const writable = {
  first_name: name,
  last_name: name,
  display_name: { ...name, description: 'What clients call the stylist.' },
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
  active: { type: 'boolean', description: 'Whether new appointments may be booked.' },
  services: {
    type: 'array',
    maxItems: 100,
    items: { type: 'string', minLength: 1, maxLength: 200 },
    description: 'Names of what the stylist does; appointments are not bound to them.',
  },
} as const;

/** One stylist, as the service answers it. */
export const stylist = {
  title: 'Stylist',
  type: 'object',
  required: [
    'id',
    'first_name',
    'last_name',
    'display_name',
    'email',
    'phone',
    'active',
    'services',
    'created_at',
    'updated_at',
  ],
  additionalProperties: false,
  properties: {
    id: identifierSchema('stylist'),
    ...writable,
    created_at: instantSchema,
    updated_at: instantSchema,
  },
} as const;

/** What a new stylist is made from: at least one of the names. Active when nothing is said. */
export const newStylist = {
  title: 'NewStylist',
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: { ...writable, active: { ...writable.active, default: true } },
} as const;

/** A change of a stylist: fields left out stay, `null` clears; what only the service sets is passed over. */
export const stylistChange = {
  title: 'StylistChange',
  type: 'object',
  additionalProperties: false,
  properties: { ...writable, id: {}, created_at: {}, updated_at: {} },
} as const;

/** Order and paging of the stylist list. */
export const stylistQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...pagingQuery,
    sort: {
      type: 'string',
      enum: ['created_at', '-created_at', 'updated_at', '-updated_at'],
      description: sortDescription,
    },
  },
} as const;

export const stylistList = listOf(stylist);

/** Members of a stylist record that only the service sets. */
const readOnlyStylistFields = ['id', 'created_at', 'updated_at'] as const;

export type Stylist = XStatic<typeof stylist>;
export type NewStylist = XStatic<typeof newStylist>;
export type StylistChange = Omit<XStatic<typeof stylistChange>, (typeof readOnlyStylistFields)[number]>;
export type StylistQuery = XStatic<typeof stylistQuery>;

/** What can be done with stylists. */
export const stylistEndpoints = {
  listStylists: {
    method: 'GET',
    path: '/stylists',
    standing: 'extension',
    summary: 'List stylists',
    scope: 'stylists:read',
    action: 'stylists.read',
    query: stylistQuery,
    success: { status: 200, body: stylistList },
  },
  createStylist: {
    method: 'POST',
    path: '/stylists',
    standing: 'extension',
    summary: 'Add a stylist',
    scope: 'stylists:write',
    action: 'stylists.write',
    isTagged: true,
    body: newStylist,
    success: { status: 201, body: stylist },
  },
  getStylist: {
    method: 'GET',
    path: '/stylists/:id',
    standing: 'extension',
    summary: 'Read one stylist',
    scope: 'stylists:read',
    action: 'stylists.read',
    isTagged: true,
    success: { status: 200, body: stylist },
  },
  updateStylist: {
    method: 'PUT',
    path: '/stylists/:id',
    standing: 'extension',
    summary: 'Update a stylist',
    scope: 'stylists:write',
    action: 'stylists.write',
    isTagged: true,
    body: stylistChange,
    success: { status: 200, body: stylist },
  },
} as const satisfies Record<string, Endpoint>;
