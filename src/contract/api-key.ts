import type { XStatic } from 'typebox/schema';
import { create, type Endpoint, get, post, remove } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import { roles, scopes } from './roles.ts';
import { bodyOf, instantSchema, listOf, listQueryOf, nullableIdInput, recordOf } from './schemas.ts';

/** What an API key can be: usable, past its expiry, or revoked. */
export const apiKeyStatuses = ['active', 'expired', 'revoked'] as const;

export type ApiKeyStatus = (typeof apiKeyStatuses)[number];

/** The maximum number of active API keys of an account. */
export const maxApiKeys = 500;

/** The longest name of a key, and the most addresses that it can be limited to. */
export const apiKeyLimits = { nameLength: 100, addresses: 50 } as const;

/** How long a new API key is valid by default, in days. */
export const apiKeyDays = 365;

/** How long the former key stays valid after a roll, in seconds: by default and at most. */
export const rollOverlapSeconds = { default: 86_400, max: 604_800 } as const;

/** The start of every API key, and of those of sandbox accounts. */
export const apiKeyPrefixes = { live: 'slk_', sandbox: 'slk_test_' } as const;

const nullableInstant = { type: ['string', 'null'], format: 'date-time' } as const;

const recordProperties = {
  id: idSchema('api_key'),
  name: { type: 'string' },
  prefix: {
    type: ['string', 'null'],
    description: 'The first characters of the key, for display; null for keys created before version 0.2.',
  },
  role: { type: 'string', enum: roles },
  scopes: { type: 'array', items: { type: 'string', enum: scopes } },
  stylist_id: {
    type: ['string', 'null'],
    description: 'The stylist whose calendar the key is limited to; null without the role stylist.',
  },
  allowed_addresses: {
    type: 'array',
    items: { type: 'string' },
    description: 'The addresses and ranges that the key may be used from; empty for any address.',
  },
  status: { type: 'string', enum: apiKeyStatuses },
  created_by: {
    type: ['string', 'null'],
    description: 'The ID of the user who created the key; null for keys of the operator.',
  },
  created_by_name: { type: ['string', 'null'] },
  created_at: instantSchema,
  last_used_at: { ...nullableInstant, description: 'Accurate to about a minute.' },
  expires_at: nullableInstant,
  revoked_at: nullableInstant,
  replaced_by: { type: ['string', 'null'], description: 'The ID of the key that this one was rolled into.' },
  created_with: {
    type: ['string', 'null'],
    description:
      'The ID of the API key, connected app or OAuth client that created the key, and that it ends with; null for keys of people and the operator.',
  },
  created_keys: {
    type: 'integer',
    description:
      'How many active keys and OAuth client secrets it has created, directly or not. They end with it.',
  },
} as const;

/** An API key in a response, without the key itself. */
const apiKey = recordOf('ApiKey', recordProperties);

const key = { type: 'string', description: 'The API key. It is shown only once.' } as const;

/** The response that creates a key. */
const createdApiKey = recordOf('CreatedApiKey', { ...recordProperties, key });

/** The response that rolls a key: the new one, and until when the former one is valid. */
const rolledApiKey = recordOf('RolledApiKey', {
  ...recordProperties,
  key,
  former_id: idSchema('api_key'),
  former_expires_at: instantSchema,
});

/** The body that creates a key. */
export const newApiKey = bodyOf(
  { title: 'NewApiKey', required: ['name', 'role'] },
  {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: apiKeyLimits.nameLength,
      description: 'The purpose of the key.',
    },
    role: { type: 'string', enum: roles, description: 'No higher than the role of the caller.' },
    scopes: {
      type: 'array',
      maxItems: scopes.length,
      items: { type: 'string', enum: scopes },
      description: 'By default, all scopes of the caller.',
    },
    stylist_id: { ...nullableIdInput, description: 'Required with the role stylist.' },
    expires_at: {
      ...nullableInstant,
      description: `By default, ${apiKeyDays} days from now, or when the key that creates it expires; null for a key that does not expire.`,
    },
    allowed_addresses: {
      type: 'array',
      maxItems: apiKeyLimits.addresses,
      items: { type: 'string', minLength: 1, maxLength: 64 },
      description: 'IP addresses and ranges, such as 203.0.113.7 or 2001:db8::/32. By default, any address.',
    },
  },
);

/** The body that rolls a key. */
export const apiKeyRoll = bodyOf(
  { title: 'ApiKeyRoll' },
  {
    overlap_seconds: {
      type: 'integer',
      minimum: 0,
      maximum: rollOverlapSeconds.max,
      default: rollOverlapSeconds.default,
      description: 'How long the old key stays valid.',
    },
  },
);

const apiKeyQuery = listQueryOf({
  status: {
    type: 'string',
    minLength: 1,
    maxLength: 100,
    default: 'active,expired',
    description: `One or more of ${apiKeyStatuses.join(', ')}, separated by commas.`,
  },
});

const nullableText = { type: ['string', 'null'] } as const;

/** What the requests of an hour were sent with. */
export const keyUse = recordOf('KeyUse', {
  id: { type: 'string', description: 'The ID of the API key, connected app, sign-in or OAuth client.' },
  kind: {
    type: 'string',
    enum: ['api_key', 'app', 'sign_in', 'removed'],
    description: 'A sign-in is that of a person on the command line; what is removed has no name any more.',
  },
  name: { ...nullableText, description: 'Of the API key or app; of a sign-in, the person.' },
  prefix: recordProperties.prefix,
  role: { ...nullableText, description: 'The present role; null for a person who has left the salon.' },
  app: { ...nullableText, description: 'The app that sends the requests, or that created the API key.' },
  person: { ...nullableText, description: 'Who created the API key, connected the app or signed in.' },
  last_used_at: nullableInstant,
  requests: { type: 'integer', description: 'As they count against the limit.' },
});

/** The requests of the current hour. */
const keyUsage = recordOf('KeyUsage', {
  window_start: instantSchema,
  window_end: instantSchema,
  limit: { type: 'integer', minimum: 1, description: 'Requests per hour, of all together.' },
  data: {
    type: 'array',
    items: keyUse,
    description: 'Most requests first. Active API keys without any, too.',
  },
});

export type ApiKey = XStatic<typeof apiKey>;
export type KeyUse = XStatic<typeof keyUse>;
export type KeyUsage = XStatic<typeof keyUsage>;
export type CreatedApiKey = XStatic<typeof createdApiKey>;
export type RolledApiKey = XStatic<typeof rolledApiKey>;
export type NewApiKey = XStatic<typeof newApiKey>;
export type ApiKeyRoll = XStatic<typeof apiKeyRoll>;

export const apiKeyEndpoints = {
  listApiKeys: get('/api-keys', listOf(apiKey), {
    summary: 'List API keys',
    action: 'api_keys.read',
    isUnversioned: true,
    query: apiKeyQuery,
  }),
  getKeyUsage: get('/api-keys/usage', keyUsage, {
    summary: 'Show how many requests each API key and app has sent this hour (also when none is left)',
    action: 'api_keys.read',
  }),
  createApiKey: create('/api-keys', createdApiKey, {
    summary: 'Create an API key (it is shown only once)',
    action: 'api_keys.write',
    secret: 'key',
    body: newApiKey,
  }),
  revokeApiKey: remove('/api-keys/:id', { summary: 'Revoke an API key', action: 'api_keys.write' }),
  rollApiKey: post('/api-keys/:id/roll', rolledApiKey, {
    summary: 'Replace an API key with a new one (the old one stays valid for 24 hours)',
    action: 'api_keys.write',
    secret: 'key',
    body: apiKeyRoll,
    isBodyOptional: true,
  }),
} as const satisfies Record<string, Endpoint>;
