import type { XStatic } from 'typebox/schema';
import type { Endpoint } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import {
  bodyOf,
  fromFilter,
  idInput,
  instantSchema,
  listOf,
  pagingQuery,
  queryOf,
  readOnlyFields,
  recordOf,
  sortDescription,
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

const time = {
  type: 'string',
  format: 'date-time',
  description: 'RFC 3339 with a zone. Responses use UTC.',
} as const;
const endTime = {
  ...time,
  description: `Exclusive, at most ${maxBlockedDays} days after the start.`,
} as const;
const note = { type: ['string', 'null'], maxLength: 1000 } as const;

const fields = {
  id: idSchema('blocked_time'),
  stylist_id: {
    type: ['string', 'null'],
    description: 'Who cannot be booked; null for the whole salon.',
  },
  start_time: time,
  end_time: endTime,
  reason: {
    type: 'string',
    enum: [...blockReasons, hiddenReason],
    description: `${hiddenReason}, without a note, for viewers and other stylists.`,
  },
  note,
  created_at: instantSchema,
  updated_at: instantSchema,
} as const;

/** Time in which a stylist, or nobody, can be booked. */
const blockedTime = recordOf('BlockedTime', fields);

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
  stylist_id: { ...idInput, type: ['string', 'null'], description: fields.stylist_id.description },
  start_time: time,
  end_time: endTime,
  reason: { type: 'string', enum: blockReasons },
  note,
} as const;

const newBlockedTime = bodyOf(
  { title: 'NewBlockedTime', required: ['stylist_id', 'start_time', 'end_time'] },
  { ...writable, reason: { ...writable.reason, default: 'other' } },
);

/** Missing fields keep their value, read-only fields are ignored. */
const blockedTimeChange = bodyOf(
  { title: 'BlockedTimeChange' },
  {
    ...writable,
    ...readOnlyFields,
  },
);

const blockedTimeQuery = queryOf({
  ...pagingQuery,
  sort: {
    type: 'string',
    enum: ['start_time', '-start_time', 'created_at', '-created_at', 'updated_at', '-updated_at'],
    description: sortDescription,
  },
  stylist_id: { ...idInput, description: 'Without what is blocked for the whole salon.' },
  from: { ...fromFilter, description: `Blocked time that ends after it. ${fromFilter.description}` },
  to: { ...toFilter, description: `Blocked time that starts before it. ${toFilter.description}` },
});

export type BlockedTime = XStatic<typeof blockedTime>;
export type WrittenBlockedTime = XStatic<typeof writtenBlockedTime>;
export type NewBlockedTime = XStatic<typeof newBlockedTime>;
export type BlockedTimeChange = Omit<XStatic<typeof blockedTimeChange>, 'id' | 'created_at' | 'updated_at'>;

export const blockedTimeEndpoints = {
  listBlockedTimes: {
    method: 'GET',
    path: '/blocked-times',
    summary: 'List blocked times',
    action: 'appointments.read',
    query: blockedTimeQuery,
    success: { status: 200, body: listOf(blockedTime) },
  },
  createBlockedTime: {
    method: 'POST',
    path: '/blocked-times',
    summary: 'Block time of a stylist or the whole salon',
    action: 'appointments.write',
    isTagged: true,
    body: newBlockedTime,
    success: { status: 201, body: writtenBlockedTime },
  },
  getBlockedTime: {
    method: 'GET',
    path: '/blocked-times/:id',
    summary: 'Get a blocked time',
    action: 'appointments.read',
    isTagged: true,
    success: { status: 200, body: blockedTime },
  },
  updateBlockedTime: {
    method: 'PATCH',
    path: '/blocked-times/:id',
    summary: 'Change a blocked time',
    action: 'appointments.write',
    isTagged: true,
    body: blockedTimeChange,
    success: { status: 200, body: writtenBlockedTime },
  },
  deleteBlockedTime: {
    method: 'DELETE',
    path: '/blocked-times/:id',
    summary: 'Unblock time, and erase its note everywhere',
    action: 'appointments.write',
    isTagged: true,
    success: { status: 204 },
  },
} as const satisfies Record<string, Endpoint>;
