import type { XStatic } from 'typebox/schema';
import { appointment } from './appointment.ts';
import { type Endpoint, get } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import { fromFilter, idInput, instantSchema, objectOf, recordOf, toFilter } from './schemas.ts';

/** The longest time that one request asks about. */
export const maxAvailabilityDays = 31;

/** Who is free when. */
const availability = recordOf('Availability', {
  time_zone: { type: 'string', description: 'The time zone of the salon.' },
  only_stylist_id: {
    type: ['string', 'null'],
    description: 'The only stylist whose calendar the key may see; null if it may see all.',
  },
  data: {
    type: 'array',
    description: 'The active stylists, by name.',
    items: objectOf({
      stylist_id: idSchema('stylist'),
      stylist_name: { type: 'string' },
      intervals: {
        type: 'array',
        description: 'Any appointment of the duration in one of them can be booked.',
        items: objectOf({ start_time: instantSchema, end_time: instantSchema }),
      },
    }),
  },
});

const { duration } = appointment.properties;

const availabilityQuery = {
  type: 'object',
  required: ['from', 'to'],
  additionalProperties: false,
  properties: {
    from: { ...fromFilter, description: `${fromFilter.description} Time in the past is never free.` },
    to: { ...toFilter, description: `${toFilter.description} At most ${maxAvailabilityDays} days later.` },
    duration: { ...duration, description: 'In whole minutes. By default, that of the service.' },
    stylist_id: { ...idInput, description: 'Only this stylist.' },
    service: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'Only stylists who offer it. If nobody lists it, all of them do.',
    },
  },
} as const;

export type Availability = XStatic<typeof availability>;

export const availabilityEndpoints = {
  getAvailability: get('/availability', availability, {
    summary: 'Get the times at which stylists can be booked',
    action: 'appointments.read',
    query: availabilityQuery,
  }),
} as const satisfies Record<string, Endpoint>;
