import type { FlagTable, FlagValues } from './flag.ts';

/** What the service refuses unless it is allowed. */
export const overlapFlags = {
  allowOverlap: { flag: '--allow-overlap', help: 'Book even if the stylist is busy' },
  allowBlocked: { flag: '--allow-blocked', help: 'Book even if the stylist is away' },
} as const satisfies FlagTable;

/** For the fields of an appointment. */
export const bookingFlags = {
  client: { flag: '--client <who>', help: 'Client: name, email, phone or ID' },
  stylist: { flag: '--stylist <who>', help: 'Stylist: name or ID', complete: 'stylists' },
  service: { flag: '--service <name>', help: 'Service' },
  start: { flag: '--start <when>', help: 'Start, e.g. "fri 3pm", "24.11. 15:00"' },
  duration: { flag: '--duration <time>', help: 'Duration, e.g. 45, 1h30m or PT45M' },
  status: {
    flag: '--status <status>',
    help: 'Status, e.g. confirmed, arrived, completed',
    complete: 'statuses',
  },
  price: { flag: '--price <amount>', help: 'Price, e.g. 49.50 (default: that of the service)' },
  notes: { flag: '--notes <text>', help: 'Notes' },
  ...overlapFlags,
} as const satisfies FlagTable;

export type BookingFlags = FlagValues<typeof bookingFlags>;

/** For an entry of the waiting list. */
export const entryFlags = {
  client: bookingFlags.client,
  service: bookingFlags.service,
  stylist: { ...bookingFlags.stylist, help: 'Stylist to wait for, or "anyone"' },
  from: { flag: '--from <when>', help: 'First day or time, e.g. mon' },
  to: { flag: '--to <when>', help: 'Last day or time' },
  note: { flag: '--note <text>', help: 'For those who call, e.g. "after 5 pm only"' },
} as const satisfies FlagTable;

export type EntryFlags = FlagValues<typeof entryFlags>;

/** For a status whose time has not come. */
export const allowEarlyFlag = {
  allowEarly: { flag: '--allow-early', help: 'Allow arrived, completed, no_show days early' },
} as const satisfies FlagTable;

/** For a client who is added with the booking. */
export const newClientFlags = {
  newClient: { flag: '--new-client <name>', help: 'Add a client and book for them' },
  phone: { flag: '--phone <number>', help: 'Phone number of the new client' },
  allowDuplicate: { flag: '--allow-duplicate', help: 'Add the client even if one like that exists' },
} as const satisfies FlagTable;

/** For a repeat, or several appointments that belong together. */
export const visitFlags = {
  onConflict: {
    flag: '--on-conflict <how>',
    help: 'What to do if dates are not free (default: stop)',
    choices: ['stop', 'skip', 'nearest'],
  },
} as const satisfies FlagTable;

/** For an appointment that was booked with others. */
export const followingFlag = {
  following: { flag: '--following', help: 'Also those that follow and were booked with it' },
} as const satisfies FlagTable;

export const preferredStylistFlag = {
  preferredStylist: {
    flag: '--preferred-stylist <who>',
    help: 'Preferred stylist: name, email, phone or ID',
    complete: 'stylists',
  },
} as const satisfies FlagTable;
