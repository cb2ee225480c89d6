import type { XStatic } from 'typebox/schema';
import { type Endpoint, get, patch } from './endpoint.ts';
import { bodyOf, type ChangeOf, contactFields, instantSchema, objectOf, recordOf } from './schemas.ts';

const settings = {
  time_zone: {
    type: ['string', 'null'],
    format: 'salon-time-zone',
    maxLength: 64,
    description: 'IANA name, such as Europe/Berlin. Opening and working hours are in it.',
  },
  currency: {
    type: ['string', 'null'],
    maxLength: 3,
    description: 'ISO 4217 code, such as EUR.',
  },
  country: {
    type: ['string', 'null'],
    format: 'salon-country',
    maxLength: 2,
    description: 'ISO 3166 code, such as DE.',
  },
  opening_hours: {
    type: ['string', 'null'],
    format: 'salon-hours',
    maxLength: 500,
    description:
      'Weekly, e.g. `mon-fri 09:00-18:00, sat 09:00-14:00`. Days that are not named are closed. A stylist can have shorter hours.',
  },
  phone: contactFields.phone,
  address: { type: ['string', 'null'], maxLength: 500 },
} as const;

const clock = {
  description:
    'How the service reads local times of the next 800 days; null without a time zone. Read-only, and may change under the same ETag.',
  oneOf: [
    objectOf({
      tz_version: {
        type: ['string', 'null'],
        description: 'Version of the time zone database, such as 2026c.',
      },
      until: instantSchema,
      offsets: {
        type: 'array',
        description:
          'Changes of the offset from UTC, oldest first. Empty if the service does not know the zone.',
        items: objectOf({ from: instantSchema, offset_minutes: { type: 'integer' } }),
      },
    }),
    { type: 'null' },
  ],
} as const;

/**
 * In every response of the API: names the time zone, currency, country and opening hours that the salon has now and, after
 * a dot, the clock rules of the service. In a request: it is refused with `salon_settings_changed` if they are others now.
 */
export const settingsVersionHeader = 'salon-settings-version';

/** Whether a version in a request is the current one, or its half before the dot. */
export function namesSettings(version: string, current: string): boolean {
  return version === current || version === withoutClock(current);
}

/** The half that names the settings alone. */
export function withoutClock(version: string): string {
  return version.replace(/\..*/, '');
}

/** The salon as a whole. What is not set is null. */
export const salon = recordOf('Salon', {
  name: { type: 'string', description: 'The name of the account, until the salon is given another.' },
  ...settings,
  clock,
  updated_at: instantSchema,
});

const salonChange = bodyOf(
  { title: 'SalonChange' },
  {
    name: { type: ['string', 'null'], minLength: 1, maxLength: 200 },
    ...settings,
    clock: {},
    updated_at: {},
  },
);

export type Salon = XStatic<typeof salon>;
export type SalonChange = ChangeOf<typeof salonChange>;
/** What is stored of a salon. */
export type SalonSettings = Omit<Salon, 'clock'>;

const read = { action: 'stylists.read', isTagged: true } as const;
const write = { action: 'stylists.write', isTagged: true } as const;

export const salonEndpoints = {
  getSalon: get('/salon', salon, { ...read, summary: 'Get the settings of the salon' }),
  updateSalon: patch('/salon', salon, {
    ...write,
    summary: 'Change settings of the salon',
    body: salonChange,
  }),
} as const satisfies Record<string, Endpoint>;
