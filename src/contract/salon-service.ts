import type { XStatic } from 'typebox/schema';
import { foldText } from '../text/search-text.ts';
import { appointment } from './appointment.ts';
import { type Endpoint, endpointsOf } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import {
  bodyOf,
  listQueryOf,
  maxAmount,
  minorUnits,
  readOnlyFields,
  recordOf,
  sortBy,
  stamps,
} from './schemas.ts';

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
export const salonService = recordOf('Service', {
  id: idSchema('service'),
  ...writable,
  ...stamps,
});

const newSalonService = bodyOf(
  { title: 'NewService', required: ['name', 'duration'] },
  { ...writable, price: { ...writable.price, default: null }, active: { ...writable.active, default: true } },
);

/** Missing fields keep their value, read-only fields are ignored. */
const salonServiceChange = bodyOf({ title: 'ServiceChange' }, { ...writable, ...readOnlyFields });

const salonServiceQuery = listQueryOf({ sort: sortBy('created_at', 'updated_at') });

export type SalonService = XStatic<typeof salonService>;

/** Whether two names are of one service: case, accents and blanks do not make another. */
export function isSameService(name: string, other: string): boolean {
  return foldText(name) === foldText(other);
}

const at = endpointsOf('/services', 'stylists', { record: salonService });

export const salonServiceEndpoints = {
  listServices: at.list('List services and their prices', salonServiceQuery),
  createService: at.create('Add a service', newSalonService),
  getService: at.get('Get a service'),
  updateService: at.patch('Change a service; stylists who offer it get its new name', salonServiceChange),
  deleteService: at.remove('Delete a service; its appointments stay as they are'),
} as const satisfies Record<string, Endpoint>;
