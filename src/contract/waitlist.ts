import type { XStatic } from 'typebox/schema';
import { maxBlockedDays } from './blocked-time.ts';
import { type Endpoint, endpointsOf } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import {
  bodyOf,
  fromFilter,
  idInput,
  listQueryOf,
  noteText,
  nullableIdInput,
  readOnlyFields,
  recordOf,
  sortBy,
  stamps,
  statusFilter,
  timeInput,
  toFilter,
} from './schemas.ts';

/** Statuses of an entry whose client still waits. */
export const waitingStatuses = ['waiting', 'offered'] as const;

export const waitlistStatuses = [...waitingStatuses, 'booked', 'expired'] as const;

const status = {
  type: 'string',
  enum: waitlistStatuses,
  description: 'An entry that waits, or was offered a time, is expired once `to` has passed.',
} as const;
const to = {
  ...timeInput,
  description: `Exclusive, at most ${maxBlockedDays} days after \`from\`.`,
} as const;
const service = { type: 'string', minLength: 1, maxLength: 200 } as const;
const whoever = { description: 'The stylist to wait for; null for anyone.' } as const;

/** A client who would come if a time became free. */
export const waitlistEntry = recordOf('WaitlistEntry', {
  id: idSchema('waitlist_entry'),
  client_id: idSchema('client'),
  service,
  stylist_id: { type: ['string', 'null'], ...whoever },
  from: timeInput,
  to,
  note: noteText,
  status,
  ...stamps,
});

const writable = {
  client_id: idInput,
  service,
  stylist_id: { ...nullableIdInput, ...whoever },
  from: timeInput,
  to,
  note: noteText,
  status: { ...status, default: 'waiting' },
} as const;

const newWaitlistEntry = bodyOf(
  { title: 'NewWaitlistEntry', required: ['client_id', 'service', 'from', 'to'] },
  writable,
);

/** Missing fields keep their value, read-only fields are ignored. */
const waitlistEntryChange = bodyOf(
  { title: 'WaitlistEntryChange' },
  { ...writable, status, ...readOnlyFields },
);

const waitlistQuery = listQueryOf({
  sort: sortBy('from', 'created_at', 'updated_at'),
  client_id: idInput,
  stylist_id: { ...idInput, description: 'With `fits_start`, also entries for anyone.' },
  status: statusFilter,
  from: { ...fromFilter, description: `Entries that end after it. ${fromFilter.description}` },
  to: { ...toFilter, description: `Entries that start before it. ${toFilter.description}` },
  fits_start: { type: 'string', description: 'Entries whose time holds this one: RFC 3339 with a zone.' },
  fits_duration: {
    type: 'integer',
    minimum: 1,
    maximum: maxBlockedDays * 1440,
    description: 'How long the time from `fits_start` is, in minutes; 1 by default.',
  },
});

export type WaitlistEntry = XStatic<typeof waitlistEntry>;

const at = endpointsOf('/waitlist', 'appointments', { record: waitlistEntry });

export const waitlistEndpoints = {
  listWaitlistEntries: at.list('List who waits for a time', waitlistQuery, { isUnversioned: true }),
  createWaitlistEntry: at.create('Add a client to the waiting list', newWaitlistEntry),
  getWaitlistEntry: at.get('Get an entry of the waiting list'),
  updateWaitlistEntry: at.patch('Change an entry of the waiting list', waitlistEntryChange),
  deleteWaitlistEntry: at.remove('Delete an entry of the waiting list, and erase its note everywhere'),
} as const satisfies Record<string, Endpoint>;
