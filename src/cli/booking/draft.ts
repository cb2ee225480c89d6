import type { Repeat } from '../../time/repeats.ts';
import { hourMs, type TimeSpan } from '../../time/time.ts';
import type { FieldValues } from '../flags/fields.ts';
import type { NamedPerson } from '../people/resolve.ts';

/** Somebody who is added when the booking is confirmed. */
export interface AddedClient {
  readonly name: string;
  /** Empty if they gave none. */
  readonly phone: string;
}

/** Any free stylist who does the service. */
export const anyone = 'anyone';

/** The answers to the questions of a booking, as far as they are known. */
export interface BookingDraft {
  readonly client?: NamedPerson | undefined;
  readonly newClient?: AddedClient | undefined;
  readonly service?: string | undefined;
  readonly durationMinutes?: number | undefined;
  /** Whether the duration is the service's usual one. */
  readonly isUsualDuration?: boolean | undefined;
  readonly stylist?: NamedPerson | typeof anyone | undefined;
  /** The days, the day, or a part of it, of which no time is chosen yet. */
  readonly span?: TimeSpan | undefined;
  /** UTC instant. */
  readonly start?: string | undefined;
  /** Other fields of the appointment, such as notes. */
  readonly fields: FieldValues;
  /** An appointment that moves: it does not block the time. */
  readonly movedId?: string | undefined;
  /** References as typed, before they are resolved. */
  readonly typed: { readonly client: string; readonly stylist: string };
  /** The appointments that are booked with it, complete but for their time. */
  readonly others?: readonly BookingDraft[] | undefined;
  /** How long after the first of them it starts. */
  readonly fromMs?: number | undefined;
  readonly repeat?: Repeat | undefined;
  /** What to do about dates that are not free, once that is decided. */
  readonly onConflict?: string | undefined;
}

/** A question of the dialogue, in their order. */
const topics = ['client', 'service', 'duration', 'stylist', 'day', 'time'] as const;

export type BookingTopic = (typeof topics)[number];

/** A draft that has everything. */
export interface Booking extends BookingDraft {
  readonly service: string;
  readonly durationMinutes: number;
  readonly stylist: NamedPerson;
  readonly start: string;
}

/** What is booked at once, by time. */
export type Bookings = readonly [Booking, ...Booking[]];

/** Whether a draft is for several appointments, even if one date is left. */
export function isVisit({ others, repeat }: BookingDraft): boolean {
  return others !== undefined || repeat !== undefined;
}

/** The fields of the appointment. */
export function toFields({ client, stylist, service, start, durationMinutes, fields }: Booking): FieldValues {
  const own = { client_id: client?.id, stylist_id: stylist.id, service };
  return { ...own, start_time: start, duration: durationMinutes, ...fields };
}

/** What a draft lacks, in the order of the questions. */
export function listOpenTopics(draft: BookingDraft): readonly BookingTopic[] {
  const isOpen: Readonly<Record<BookingTopic, boolean>> = {
    client: draft.client === undefined && draft.newClient === undefined,
    service: draft.service === undefined,
    duration: draft.durationMinutes === undefined,
    stylist: draft.stylist === undefined,
    day: draft.start === undefined && (draft.span === undefined || hasDays(draft.span)),
    time: draft.start === undefined,
  };
  return topics.filter((topic) => isOpen[topic]);
}

/** Whether a span is longer than the longest day, such as a week. */
export function hasDays({ startMs, endMs }: TimeSpan): boolean {
  return endMs - startMs > 26 * hourMs;
}

/** The draft without the answer to a question, for asking it again. */
export function reopen(draft: BookingDraft, topic: BookingTopic): BookingDraft {
  const noDuration = { durationMinutes: undefined, isUsualDuration: undefined };
  const cleared: Readonly<Record<BookingTopic, Partial<BookingDraft>>> = {
    client: { client: undefined, newClient: undefined },
    // A duration that somebody chose outlives another service.
    service: { service: undefined, ...(draft.isUsualDuration && noDuration) },
    duration: noDuration,
    stylist: { stylist: undefined },
    day: { span: undefined, start: undefined, onConflict: undefined },
    time: { start: undefined, onConflict: undefined },
  };
  return { ...draft, ...cleared[topic] };
}
