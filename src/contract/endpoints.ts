import type { XStatic } from 'typebox/schema';
import { apiKeyEndpoints } from './api-key.ts';
import { appointmentEndpoints } from './appointment.ts';
import { auditEndpoints } from './audit.ts';
import { availabilityEndpoints } from './availability.ts';
import { blockedTimeEndpoints } from './blocked-time.ts';
import { changesEndpoints } from './changes.ts';
import { clientEndpoints } from './client.ts';
import { clientMergeEndpoints } from './client-merging.ts';
import { dryRunEndpoints } from './dry-run.ts';
import { type Endpoint, get } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import { planNames } from './limits.ts';
import { oauthClientEndpoints } from './oauth-client.ts';
import { paymentEndpoints } from './payment.ts';
import { roles, scopes } from './roles.ts';
import { salonEndpoints } from './salon.ts';
import { salonServiceEndpoints } from './salon-service.ts';
import { objectOf, recordOf } from './schemas.ts';
import { stylistEndpoints } from './stylist.ts';
import { waitlistEndpoints } from './waitlist.ts';
import { webhookEndpoints } from './webhook.ts';

/** The path prefixes of version 1. Both serve the same endpoints; links use the first. */
export const prefixes = ['/api/v1', '/v1'] as const;

/** The value of the `API-Version` header of every response. */
export const apiVersion = 'v1.0';

/** The account, role and scopes of an API key or access token. */
const me = recordOf('Me', {
  account: objectOf({
    id: idSchema('account'),
    name: { type: 'string' },
    plan: { type: 'string', enum: planNames },
    hourly_limit: { type: 'integer', minimum: 1, description: 'Requests per hour.' },
  }),
  role: { type: 'string', enum: roles },
  scopes: { type: 'array', items: { type: 'string', enum: scopes } },
  stylist_id: {
    type: ['string', 'null'],
    description: 'The stylist whose calendar the caller is limited to; null without the stylist role.',
  },
  key: {
    description: 'The API key; null for an access token.',
    oneOf: [
      objectOf({
        id: idSchema('api_key'),
        name: { type: 'string' },
        expires_at: { type: ['string', 'null'], format: 'date-time' },
      }),
      { type: 'null' },
    ],
  },
  user: {
    description: 'The person who signed in; null for an API key.',
    oneOf: [
      objectOf({ id: idSchema('user'), name: { type: 'string' }, email: { type: 'string' } }),
      { type: 'null' },
    ],
  },
  app: {
    description: 'The app that an access token was issued to; null for an API key.',
    oneOf: [objectOf({ id: { type: 'string' }, name: { type: 'string' } }), { type: 'null' }],
  },
});

export type Me = XStatic<typeof me>;

/** Every endpoint. Routes, client methods and the OpenAPI document are all derived from this table. */
export const endpoints = {
  ...appointmentEndpoints,
  ...blockedTimeEndpoints,
  ...availabilityEndpoints,
  ...waitlistEndpoints,
  ...clientEndpoints,
  ...clientMergeEndpoints,
  ...salonEndpoints,
  ...salonServiceEndpoints,
  ...stylistEndpoints,
  ...paymentEndpoints,
  ...webhookEndpoints,
  ...auditEndpoints,
  ...changesEndpoints,
  ...apiKeyEndpoints,
  ...oauthClientEndpoints,
  ...dryRunEndpoints,
  getMe: get('/me', me, {
    summary: 'Get the account, role and scopes of the API key or access token',
    action: null,
  }),
} as const satisfies Record<string, Endpoint>;

export type Operation = keyof typeof endpoints;

type Endpoints = typeof endpoints;

/** The parsed query parameters of an operation; `Record<never, never>` if it takes none. */
export type QueryOf<Op extends Operation> = Endpoints[Op] extends { query: infer Schema }
  ? XStatic<Schema>
  : Record<never, never>;

/** The request body of an operation; undefined if it takes none. */
export type BodyOf<Op extends Operation> = Endpoints[Op] extends { body: infer Schema }
  ? XStatic<Schema>
  : undefined;

/** The body of a successful response; undefined if there is none. */
export type ResponseOf<Op extends Operation> = Endpoints[Op]['success'] extends { body: infer Schema }
  ? XStatic<Schema>
  : undefined;
