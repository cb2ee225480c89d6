import type { XStatic } from 'typebox/schema';
import { appointment } from './appointment.ts';
import type { Endpoint } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import {
  bodyOf,
  instantSchema,
  listOf,
  maxAmount,
  minorUnits,
  pagingQuery,
  queryOf,
  readOnlyFields,
  recordOf,
  sortDescription,
} from './schemas.ts';
import { foldText } from './search-text.ts';

const { service: name, duration } = appointment.properties;

const writable = {
  name: {
    ...name,
    description: 'What appointments and stylists call it. Unique, also without case and accents.',
  },
  duration: { ...duration, description: 'How long it usually takes, in whole minutes.' },
  price: {
    ...minorUnits,
    type: ['integer', 'null'],
    maximum: maxAmount,
    description: `${minorUnits.description} The currency is the salon’s. Null if it has no fixed price.`,
  },
  active: { type: 'boolean', description: 'Whether new appointments get this price.' },
} as const;

/** A service that the salon offers. */
const salonService = recordOf('Service', {
  id: idSchema('service'),
  ...writable,
  created_at: instantSchema,
  updated_at: instantSchema,
});

export const newSalonService = bodyOf(
  { title: 'NewService', required: ['name', 'duration'] },
  {
    ...writable,
    price: { ...writable.price, default: null },
    active: { ...writable.active, default: true },
  },
);

/** Missing fields keep their value, read-only fields are ignored. */
export const salonServiceChange = bodyOf(
  { title: 'ServiceChange' },
  {
    ...writable,
    ...readOnlyFields,
  },
);

const salonServiceQuery = queryOf({
  ...pagingQuery,
  sort: {
    type: 'string',
    enum: ['created_at', '-created_at', 'updated_at', '-updated_at'],
    description: sortDescription,
  },
});

export type SalonService = XStatic<typeof salonService>;
export type NewSalonService = XStatic<typeof newSalonService>;
export type SalonServiceChange = Omit<XStatic<typeof salonServiceChange>, 'id' | 'created_at' | 'updated_at'>;

/** Whether two names are of one service: case, accents and blanks do not make another. */
export function isSameService(name: string, other: string): boolean {
  return foldText(name) === foldText(other);
}

export const salonServiceEndpoints = {
  listServices: {
    method: 'GET',
    path: '/services',
    summary: 'List services and their prices',
    action: 'stylists.read',
    query: salonServiceQuery,
    success: { status: 200, body: listOf(salonService) },
  },
  createService: {
    method: 'POST',
    path: '/services',
    summary: 'Add a service',
    action: 'stylists.write',
    isTagged: true,
    body: newSalonService,
    success: { status: 201, body: salonService },
  },
  getService: {
    method: 'GET',
    path: '/services/:id',
    summary: 'Get a service',
    action: 'stylists.read',
    isTagged: true,
    success: { status: 200, body: salonService },
  },
  updateService: {
    method: 'PATCH',
    path: '/services/:id',
    summary: 'Change a service; stylists who offer it get its new name',
    action: 'stylists.write',
    isTagged: true,
    body: salonServiceChange,
    success: { status: 200, body: salonService },
  },
  deleteService: {
    method: 'DELETE',
    path: '/services/:id',
    summary: 'Delete a service; its appointments stay as they are',
    action: 'stylists.write',
    isTagged: true,
    success: { status: 204 },
  },
} as const satisfies Record<string, Endpoint>;
