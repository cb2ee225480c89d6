import type { XStatic } from 'typebox/schema';
import { client, clientChange } from './client.ts';
import type { Endpoint } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import { idInput, instantSchema, objectOf, recordOf } from './schemas.ts';

/** How long a merge can be reversed. Until then the merged client is archived, and afterwards erased. */
export const mergeReversibleDays = 30;

const newMerge = {
  title: 'NewMerge',
  type: 'object',
  required: ['from'],
  additionalProperties: false,
  properties: {
    from: {
      ...idInput,
      description: 'The client whose appointments and payments move, and who is archived.',
    },
    fields: {
      ...clientChange,
      description: 'Fields of the merged record. The others are combined by the documented rules.',
    },
    from_if_match: {
      type: 'string',
      maxLength: 1000,
      description: 'The entity tag that `from` must still have, as `If-Match` is for the client in the path.',
    },
  },
} as const;

const reversal = {
  title: 'MergeReversal',
  type: 'object',
  additionalProperties: false,
  properties: {
    from: { ...idInput, description: 'The merged client to restore; by default the one merged last.' },
  },
} as const;

const moved = objectOf({
  appointments: { type: 'integer', minimum: 0 },
  payments: { type: 'integer', minimum: 0 },
});

const clientMerge = recordOf('ClientMerge', {
  id: idSchema('client'),
  from: idSchema('client'),
  client,
  moved,
  reversible_until: instantSchema,
});

const reversedMerge = recordOf('ReversedMerge', {
  id: idSchema('client'),
  from: idSchema('client'),
  client,
  moved,
  kept_fields: {
    type: 'array',
    items: { type: 'string' },
    description: 'Fields that were changed after the merge and keep their value.',
  },
});

export type ClientMerge = XStatic<typeof clientMerge>;
export type ReversedMerge = XStatic<typeof reversedMerge>;

export const clientMergeEndpoints = {
  mergeClients: {
    method: 'POST',
    path: '/clients/:id/merge',
    summary: 'Merge another client into this one',
    action: 'clients.delete',
    isTagged: true,
    body: newMerge,
    success: { status: 200, body: clientMerge },
  },
  unmergeClients: {
    method: 'POST',
    path: '/clients/:id/unmerge',
    summary: 'Reverse a merge into this client',
    action: 'clients.delete',
    isTagged: true,
    body: reversal,
    isBodyOptional: true,
    success: { status: 200, body: reversedMerge },
  },
} as const satisfies Record<string, Endpoint>;
