import type { XStatic } from 'typebox/schema';
import { create, type Endpoint, get, post, remove } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import { scopes } from './roles.ts';
import { bodyOf, instantSchema, listOf, listQueryOf, recordOf } from './schemas.ts';

/** The maximum number of OAuth clients of an account. */
export const maxOauthClients = 100;

/** Whether an app can keep a secret: a server can, an app on a person's device cannot. */
const oauthClientTypes = ['confidential', 'public'] as const;

/** How an app gets its tokens. */
const oauthFlows = ['authorization_code', 'device_code', 'client_credentials'] as const;

export type OauthFlow = (typeof oauthFlows)[number];

/** The roles that an app itself can have. A stylist is a person. */
const oauthClientRoles = ['owner', 'manager', 'receptionist', 'viewer'] as const;

export type OauthClientRole = (typeof oauthClientRoles)[number];

const writable = {
  name: {
    type: 'string',
    minLength: 1,
    maxLength: 100,
    description: 'Shown when people are asked for access.',
  },
  type: {
    type: 'string',
    enum: oauthClientTypes,
    description: "confidential for servers, which get a secret; public for apps on people's devices.",
  },
  flows: {
    type: 'array',
    minItems: 1,
    maxItems: oauthFlows.length,
    uniqueItems: true,
    items: { type: 'string', enum: oauthFlows },
    description: 'How the app gets tokens. client_credentials needs the type confidential.',
  },
  redirect_uris: {
    type: 'array',
    maxItems: 20,
    uniqueItems: true,
    items: { type: 'string', minLength: 1, maxLength: 2048 },
    description:
      'Redirect URIs for authorization_code, matched exactly; a loopback address may have any port.',
  },
  scopes: {
    type: 'array',
    minItems: 1,
    maxItems: scopes.length,
    uniqueItems: true,
    items: { type: 'string', enum: scopes },
    description: 'Scopes that the app may request.',
  },
  role: {
    type: ['string', 'null'],
    enum: [...oauthClientRoles, null],
    description: 'The role of the app itself with client_credentials; null without.',
  },
} as const;

const recordProperties = {
  id: idSchema('oauth_client'),
  ...writable,
  created_by: {
    type: ['string', 'null'],
    description: 'The ID of the user who added the client; null for others.',
  },
  secret_by: {
    type: ['string', 'null'],
    description: 'The ID of the user or API key that generated the secret. It ends with them.',
  },
  secret_expires_at: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When that API key expires.',
  },
  created_at: instantSchema,
} as const;

/** An OAuth client in a response, without its secret. */
const oauthClient = recordOf('OAuthClient', recordProperties);

const secret = {
  type: ['string', 'null'],
  description: 'The client secret. It is shown only once; null for public clients.',
} as const;

const createdOauthClient = recordOf('CreatedOAuthClient', { ...recordProperties, secret });

/** The body that adds an OAuth client. */
export const newOauthClient = bodyOf(
  {
    title: 'NewOAuthClient',
    required: ['name'],
    examples: [
      { name: 'Online shop', redirect_uris: ['https://shop.example/salon/callback'] },
      { name: 'Bookkeeping', flows: ['client_credentials'], scopes: ['payments:read'], role: 'viewer' },
    ],
  },
  {
    ...writable,
    type: { ...writable.type, default: 'confidential' },
    flows: { ...writable.flows, default: ['authorization_code'] },
    redirect_uris: { ...writable.redirect_uris, default: [] },
    scopes: { ...writable.scopes, description: `${writable.scopes.description} By default, everything.` },
    role: { ...writable.role, default: null },
  },
);

export type OauthClient = XStatic<typeof oauthClient>;
export type CreatedOauthClient = XStatic<typeof createdOauthClient>;

/** Where programs learn which server grants access (RFC 9728). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';

export const oauthClientEndpoints = {
  listOauthClients: get('/oauth-clients', listOf(oauthClient), {
    summary: 'List OAuth clients',
    action: 'oauth_clients.read',
    isUnversioned: true,
    query: listQueryOf({}),
  }),
  createOauthClient: create('/oauth-clients', createdOauthClient, {
    summary: 'Add an OAuth client (the secret is shown only once)',
    action: 'oauth_clients.write',
    secret: 'secret',
    body: newOauthClient,
  }),
  deleteOauthClient: remove('/oauth-clients/:id', {
    summary: 'Delete an OAuth client and end all access through it',
    action: 'oauth_clients.write',
  }),
  rotateOauthClientSecret: post('/oauth-clients/:id/rotate-secret', createdOauthClient, {
    summary: "Replace an OAuth client's secret (the old one stops working at once)",
    action: 'oauth_clients.write',
    secret: 'secret',
  }),
} as const satisfies Record<string, Endpoint>;
