import type { XStatic } from 'typebox/schema';
import { type Endpoint, get } from './endpoint.ts';
import { objectOf, pagingQuery, queryOf } from './schemas.ts';

/** The operation that reads a record of each kind whose changes are listed. */
export const changedKinds = {
  client: 'getClient',
  appointment: 'getAppointment',
  payment: 'getPayment',
  stylist: 'getStylist',
  service: 'getService',
  blocked_time: 'getBlockedTime',
  waitlist_entry: 'getWaitlistEntry',
  salon: 'getSalon',
} as const;

export type ChangeKind = keyof typeof changedKinds;

const text = { type: 'string' } as const;
const record = { type: 'object', additionalProperties: true, properties: {} } as const;
const resource = { ...text, description: `One of ${Object.keys(changedKinds).join(', ')}.` } as const;

const change = {
  oneOf: [
    objectOf({ resource, id: text, deleted: { type: 'boolean', enum: [false] }, record }),
    objectOf({ resource, id: text, deleted: { type: 'boolean', enum: [true] } }),
  ],
} as const;

const changes = objectOf({
  data: { type: 'array', items: change },
  position: { ...text, description: 'Where to go on: the next `after`.' },
  has_more: { type: 'boolean', description: 'Whether the log goes on behind the position.' },
});

const given = { ...text, minLength: 1, maxLength: 200 } as const;

const changesQuery = queryOf({
  after: {
    ...given,
    description: 'A position. Without it, the response has the present one and no changes.',
  },
  kinds: { ...given, description: 'The kinds of records, separated by commas: those of the position.' },
  wait: { ...text, format: 'salon-wait', description: 'How long to wait while nothing has changed.' },
  per_page: { ...pagingQuery.per_page, description: 'How many entries of the log to go through.' },
});

export type Change = XStatic<typeof change>;

export const changesEndpoints = {
  listChanges: get('/changes', changes, {
    summary: 'List records that have changed since a position, each in its present state',
    action: 'changes.read',
    query: changesQuery,
  }),
} as const satisfies Record<string, Endpoint>;
