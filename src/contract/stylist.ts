import type { XStatic } from 'typebox/schema';
import { foldText } from '../text/search-text.ts';
import { type Endpoint, endpointsOf } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import {
  bodyOf,
  type ChangeOf,
  contactFields,
  listQueryOf,
  nameSchema,
  readOnlyFields,
  recordOf,
  sortBy,
  stamps,
} from './schemas.ts';

const writable = {
  first_name: nameSchema,
  last_name: nameSchema,
  display_name: { ...nameSchema, description: 'The name that clients see.' },
  ...contactFields,
  active: { type: 'boolean', description: 'Whether the stylist can be booked.' },
  services: {
    type: 'array',
    maxItems: 100,
    items: { type: 'string', minLength: 1, maxLength: 200 },
    description: 'Services the stylist offers. Other services can be booked, too.',
  },
} as const;

/** Of this service alone. */
const extension = {
  working_hours: {
    type: ['string', 'null'],
    format: 'salon-hours',
    maxLength: 500,
    description:
      'Extension. Weekly hours in salon time, e.g. `mon-fri 09:00-18:00, sat 09:00-14:00`. Days that are not named are days off. If null, the salon’s hours apply.',
  },
} as const;

/** A stylist in a response. */
export const stylist = recordOf('Stylist', {
  id: idSchema('stylist'),
  ...writable,
  ...stamps,
  ...extension,
});

/** The body that adds a stylist: at least one name. Active by default. */
const newStylist = bodyOf(
  { title: 'NewStylist', minProperties: 1 },
  { ...writable, ...extension, active: { ...writable.active, default: true } },
);

/** The body that changes a stylist: missing fields keep their value, `null` clears one, read-only fields are ignored. */
const stylistChange = bodyOf({ title: 'StylistChange' }, { ...writable, ...extension, ...readOnlyFields });

const stylistQuery = listQueryOf({ sort: sortBy('created_at', 'updated_at') });

export type Stylist = XStatic<typeof stylist>;
export type NewStylist = XStatic<typeof newStylist>;
export type StylistChange = ChangeOf<typeof stylistChange>;
export type StylistQuery = XStatic<typeof stylistQuery>;

interface WithServices {
  readonly services: readonly string[];
}

/**
 * The stylists who offer a service, in any case and spelling of accents: those who list it or list nothing. If it is on
 * the list of none of all, the lists do not cover it, and everybody offers it.
 */
export function selectOffering<Able extends WithServices>(
  stylists: readonly Able[],
  service: string,
  all: readonly WithServices[],
): readonly Able[] {
  const offers = ({ services }: WithServices) =>
    services.some((name) => foldText(name) === foldText(service));
  if (!all.some(offers)) return stylists;
  return stylists.filter((stylist) => stylist.services.length === 0 || offers(stylist));
}

const at = endpointsOf('/stylists', 'stylists', { record: stylist });

export const stylistEndpoints = {
  listStylists: at.list('List stylists', stylistQuery),
  createStylist: at.create('Add a stylist', newStylist),
  getStylist: at.get('Get a stylist'),
  updateStylist: at.put('Update a stylist', stylistChange),
} as const satisfies Record<string, Endpoint>;
