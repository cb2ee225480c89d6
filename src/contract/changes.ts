import type { XStatic } from 'typebox/schema';
import { type Endpoint, get } from './endpoint.ts';
import { pageSizes } from './limits.ts';
import { objectOf, pagingQuery, queryOf } from './schemas.ts';

/** The kinds of records whose changes are listed. New ones come at the end: positions name them by their place. */
export const changeKinds = [
  ...(['client', 'appointment', 'payment', 'stylist', 'service'] as const),
  ...(['blocked_time', 'waitlist_entry', 'salon'] as const),
] as const;

export type ChangeKind = (typeof changeKinds)[number];

const resource = { type: 'string', enum: changeKinds } as const;
const id = {
  type: 'string',
  description: 'The ID of the record; of the salon, that of its account.',
} as const;

const change = {
  oneOf: [
    objectOf({
      resource,
      id,
      deleted: { type: 'boolean', enum: [false] },
      record: {
        type: 'object',
        additionalProperties: true,
        properties: {},
        description: 'As its GET has it.',
      },
    }),
    objectOf({ resource, id, deleted: { type: 'boolean', enum: [true] } }),
  ],
} as const;

const changes = objectOf({
  data: { type: 'array', items: change },
  position: { type: 'string', description: 'Where to go on: the next `after`.' },
  has_more: {
    type: 'boolean',
    description: 'Whether there is more behind the position, maybe of other kinds.',
  },
});

const changesQuery = queryOf({
  after: {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description:
      'A position from an earlier response. Without it, the response has the present position and no changes: take it before you read the lists.',
  },
  kinds: {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description: `Kinds of records, separated by commas: ${changeKinds.join(', ')}. All by default. A position keeps its kinds.`,
  },
  wait: {
    type: 'string',
    format: 'salon-wait',
    description: 'With `after`: how long to wait while nothing has changed.',
  },
  per_page: {
    ...pagingQuery.per_page,
    description: `Entries of the audit log to go through, at most ${pageSizes.max}.`,
  },
});

export type Change = XStatic<typeof change>;

export const changesEndpoints = {
  listChanges: get('/changes', changes, {
    summary: 'List records that have changed since a position, each in its present state',
    action: 'changes.read',
    query: changesQuery,
  }),
} as const satisfies Record<string, Endpoint>;
