import type { XStatic } from 'typebox/schema';
import { appointmentEndpoints } from './appointment-endpoints.ts';
import { clientEndpoints } from './client-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { me } from './me.ts';
import { paymentEndpoints } from './payment-endpoints.ts';
import { stylistEndpoints } from './stylist-endpoints.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

/** The path prefixes of version 1; both serve the same, the first one stands in links. */
export const prefixes = ['/api/v1', '/v1'] as const;

/** What every answer says about itself in `API-Version`. */
export const apiVersion = 'v1.0';

/** Every endpoint there is. Routes, client methods and the OpenAPI document all come from this table. */
export const endpoints = {
  ...appointmentEndpoints,
  ...clientEndpoints,
  ...stylistEndpoints,
  ...paymentEndpoints,
  ...webhookEndpoints,
  getMe: {
    method: 'GET',
    path: '/me',
    standing: 'extension',
    summary: 'Read the account and the rights behind the credential',
    scope: null,
    action: null,
    success: { status: 200, body: me },
  },
} as const satisfies Record<string, Endpoint>;

export type Operation = keyof typeof endpoints;

type Table = typeof endpoints;

/** Query parameters of an operation, already parsed; `Record<never, never>` where it takes none. */
export type QueryOf<Op extends Operation> = Table[Op] extends { query: infer Schema }
  ? XStatic<Schema>
  : Record<never, never>;

/** Request body of an operation; undefined where it takes none. */
export type BodyOf<Op extends Operation> = Table[Op] extends { body: infer Schema }
  ? XStatic<Schema>
  : undefined;

/** Body of a successful answer; undefined where there is none. */
export type AnswerOf<Op extends Operation> = Table[Op]['success'] extends { body: infer Schema }
  ? XStatic<Schema>
  : undefined;
