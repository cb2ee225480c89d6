import type { Appointment, AppointmentStatus } from '../../../contract/appointment.ts';
import type { Client } from '../../../contract/client.ts';
import { isIdentifier } from '../../../contract/identifiers.ts';
import type { Stylist } from '../../../contract/stylist.ts';

/** A record as some server answered it: any members, of any kind. */
export type ForeignRecord = Readonly<Record<string, unknown>>;

/**
 * The client that a foreign record tells of. What the contract does not know stays, what it knows becomes of its
 * kind; rules are not checked. Undefined where nobody could ask for the record by its identifier.
 */
export function toLoadedClient(record: ForeignRecord, at: string): Client | undefined {
  const id = toText(record['id']);
  if (id === null || !isIdentifier(id)) return undefined;
  return {
    ...record,
    id,
    first_name: toText(record['first_name']),
    last_name: toText(record['last_name']),
    email: toText(record['email']),
    phone: toText(record['phone']),
    birthday: toText(record['birthday']),
    notes: toText(record['notes']),
    preferred_stylist_id: toText(record['preferred_stylist_id']),
    tags: toTexts(record['tags']),
    email_marketing_consent: record['email_marketing_consent'] === true,
    sms_marketing_consent: record['sms_marketing_consent'] === true,
    external_id: toText(record['external_id']),
    created_at: toInstant(record['created_at'], at),
    updated_at: toInstant(record['updated_at'], at),
  };
}

/** The same for an appointment. */
export function toLoadedAppointment(record: ForeignRecord, at: string): Appointment | undefined {
  const id = toText(record['id']);
  if (id === null || !isIdentifier(id)) return undefined;
  const duration = record['duration'];
  return {
    ...record,
    id,
    client_id: toText(record['client_id']) ?? '',
    stylist_id: toText(record['stylist_id']) ?? '',
    service: toText(record['service']) ?? '',
    start_time: toInstant(record['start_time'], at),
    duration: Number.isInteger(duration) ? Number(duration) : 0,
    status: (toText(record['status']) ?? 'confirmed') as AppointmentStatus,
    notes: toText(record['notes']),
    cancellation_reason: toText(record['cancellation_reason']),
    created_at: toInstant(record['created_at'], at),
    updated_at: toInstant(record['updated_at'], at),
  };
}

/** A stylist of whom no more than the identifier is known. */
export function toNamedStylist(id: string, at: string): Stylist {
  return {
    id,
    first_name: null,
    last_name: null,
    display_name: id,
    email: null,
    phone: null,
    active: true,
    services: [],
    created_at: at,
    updated_at: at,
  };
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
}

function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((item) => toText(item) ?? []) : [];
}

function toInstant(value: unknown, otherwise: string): string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : otherwise;
}
