import type { XStatic } from 'typebox/schema';
import { type Endpoint, get } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import {
  fromFilter,
  instantSchema,
  listOf,
  listQueryOf,
  objectOf,
  recordOf,
  sortBy,
  toFilter,
} from './schemas.ts';

/** The resources whose actions are recorded. */
export const auditedResources = [
  ...['client', 'appointment', 'payment', 'stylist', 'salon', 'blocked_time', 'service', 'webhook'],
  'waitlist_entry',
  ...['user', 'session', 'membership', 'invitation', 'api_key', 'oauth_client', 'oauth_grant', 'account'],
  ...['access', 'secrets', 'audit_log', 'audit_values'],
] as const;

/** Who acts: a person, an API key, an app, the operator of the service, the service itself, or someone unknown. */
const actorTypes = ['user', 'api_key', 'app', 'operator', 'service', 'anonymous'] as const;

export type ActorType = (typeof actorTypes)[number];

const text = { type: ['string', 'null'] } as const;

const actor = objectOf({
  type: { type: 'string', enum: actorTypes },
  id: text,
  name: { ...text, description: 'The name at the time.' },
});

const via = {
  oneOf: [
    objectOf({ type: { type: 'string', enum: ['app', 'session'] }, id: { type: 'string' }, name: text }),
    { type: 'null' },
  ],
  description: 'The app or session that a person used; null for anything else.',
} as const;

const values = (description: string) =>
  ({ type: ['object', 'null'], additionalProperties: true, properties: {}, description }) as const;

/** One act: who did what to which record. */
export const auditEntry = recordOf('AuditEntry', {
  id: idSchema('audit_entry'),
  seq: { type: 'integer', minimum: 1, description: 'The position in the log of the account, without gaps.' },
  created_at: instantSchema,
  action: { type: 'string', description: 'What was done, such as client.updated.' },
  resource: { type: 'string', description: 'The kind of record, such as client.' },
  record_id: text,
  client_id: { ...text, description: 'The client that the record belongs to.' },
  actor,
  via,
  address: { ...text, description: 'The IP address that the request came from.' },
  request_id: text,
  before: values('The former values of the changed fields; null for a new record.'),
  after: values('The new values of the changed fields; null for a deleted record.'),
  details: values('Anything else, such as the reason of a refusal.'),
  names: {
    type: 'object',
    additionalProperties: { type: 'string' },
    properties: {},
    description: 'The current names of the records mentioned, by ID. Erased clients have none.',
  },
  erased: { type: 'boolean', description: 'Whether values were erased with their client or person.' },
  hash: { type: 'string', description: 'Chains the entry to the one before it: SHA-256, base64url.' },
});

const idFilter = { type: 'string', minLength: 1, maxLength: 200 } as const;

const auditQuery = listQueryOf({
  sort: sortBy('created_at'),
  actor: { ...idFilter, description: 'The ID of a person, an API key, an app or a session.' },
  record: { ...idFilter, description: 'The ID of the record.' },
  client: { ...idFilter, description: 'The ID of a client: their record, appointments and payments.' },
  action: {
    type: 'string',
    minLength: 1,
    maxLength: 400,
    description: 'One or more actions, separated by commas; client.* means all of a resource.',
  },
  from: fromFilter,
  to: toFilter,
});

export type AuditEntry = XStatic<typeof auditEntry>;

export const auditEndpoints = {
  listAuditLog: get('/audit-log', listOf(auditEntry), {
    summary: 'List audit log entries',
    action: 'audit.read',
    isUnversioned: true,
    query: auditQuery,
  }),
} as const satisfies Record<string, Endpoint>;
