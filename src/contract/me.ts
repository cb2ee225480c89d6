import type { XStatic } from 'typebox/schema';
import { identifierSchema } from './identifiers.ts';
import { planNames } from './limits.ts';
import { roles, scopes } from './roles.ts';

/** The account and the rights behind a credential. */
export const me = {
  title: 'Me',
  type: 'object',
  required: ['account', 'role', 'scopes', 'stylist_id', 'key'],
  additionalProperties: false,
  properties: {
    account: {
      type: 'object',
      required: ['id', 'name', 'plan', 'hourly_limit'],
      additionalProperties: false,
      properties: {
        id: identifierSchema('account'),
        name: { type: 'string' },
        plan: { type: 'string', enum: planNames },
        hourly_limit: { type: 'integer', minimum: 1, description: 'Requests an hour.' },
      },
    },
    role: { type: 'string', enum: roles },
    scopes: { type: 'array', items: { type: 'string', enum: scopes } },
    stylist_id: { type: ['string', 'null'], description: "Whose calendar a stylist's key reaches." },
    key: {
      type: 'object',
      required: ['id', 'name', 'expires_at'],
      additionalProperties: false,
      properties: {
        id: identifierSchema('api_key'),
        name: { type: 'string' },
        expires_at: { type: ['string', 'null'], format: 'date-time' },
      },
    },
  },
} as const;

export type Me = XStatic<typeof me>;
