import type { XStatic } from 'typebox/schema';
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
  timeInput,
  toFilter,
} from './schemas.ts';

/** Why nobody can be booked. */
const blockReasons = ['closed', 'holiday', 'sick', 'training', 'break', 'other'] as const;

/** In place of the reason, for those who may not know it. */
export const hiddenReason = 'away';

/** The longest that time can be blocked at once. */
export const maxBlockedDays = 366;

/** How many affected or conflicting records a response lists. */
export const maxListedConflicts = 100;

const endTime = {
  ...timeInput,
  description: `Exclusive, at most ${maxBlockedDays} days after the start.`,
} as const;

const fields = {
  id: idSchema('blocked_time'),
  stylist_id: { type: ['string', 'null'], description: 'Who cannot be booked; null for the whole salon.' },
  start_time: timeInput,
  end_time: endTime,
  reason: {
    type: 'string',
    enum: [...blockReasons, hiddenReason],
    description: `${hiddenReason}, without a note, for viewers and other stylists.`,
  },
  note: noteText,
  ...stamps,
} as const;

/** Time in which a stylist, or the whole salon, cannot be booked. */
export const blockedTime = recordOf('BlockedTime', fields);

/** Blocked time that was written, with the appointments that are in it. */
const writtenBlockedTime = recordOf('WrittenBlockedTime', {
  ...fields,
  affected_appointment_ids: {
    type: 'array',
    maxItems: maxListedConflicts,
    items: { type: 'string' },
    description: 'Appointments that take some of this time, the earliest first. They stay as they are.',
  },
  affected_count: { type: 'integer', minimum: 0, description: 'How many there are, also those not listed.' },
});

const writable = {
  stylist_id: { ...nullableIdInput, description: fields.stylist_id.description },
  start_time: timeInput,
  end_time: endTime,
  reason: { type: 'string', enum: blockReasons },
  note: noteText,
} as const;

const newBlockedTime = bodyOf(
  { title: 'NewBlockedTime', required: ['stylist_id', 'start_time', 'end_time'] },
  { ...writable, reason: { ...writable.reason, default: 'other' } },
);

/** Missing fields keep their value, read-only fields are ignored. */
const blockedTimeChange = bodyOf({ title: 'BlockedTimeChange' }, { ...writable, ...readOnlyFields });

const blockedTimeQuery = listQueryOf({
  sort: sortBy('start_time', 'created_at', 'updated_at'),
  stylist_id: { ...idInput, description: 'Without what is blocked for the whole salon.' },
  from: { ...fromFilter, description: `Blocked time that ends after it. ${fromFilter.description}` },
  to: { ...toFilter, description: `Blocked time that starts before it. ${toFilter.description}` },
});

export type BlockedTime = XStatic<typeof blockedTime>;
export type WrittenBlockedTime = XStatic<typeof writtenBlockedTime>;
export type NewBlockedTime = XStatic<typeof newBlockedTime>;

const at = endpointsOf('/blocked-times', 'appointments', {
  record: blockedTime,
  written: writtenBlockedTime,
});

export const blockedTimeEndpoints = {
  listBlockedTimes: at.list('List blocked times', blockedTimeQuery),
  createBlockedTime: at.create('Block time of a stylist or the whole salon', newBlockedTime),
  getBlockedTime: at.get('Get a blocked time'),
  updateBlockedTime: at.patch('Change a blocked time', blockedTimeChange),
  deleteBlockedTime: at.remove('Unblock time, and erase its note everywhere'),
} as const satisfies Record<string, Endpoint>;
