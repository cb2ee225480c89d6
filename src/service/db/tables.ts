import type { AppointmentStatus } from '../../contract/appointment.ts';
import type { DeliveryStatus } from '../../contract/delivery.ts';
import type { EventType } from '../../contract/events.ts';
import type { PlanName } from '../../contract/limits.ts';
import type { PaymentStatus } from '../../contract/payment.ts';
import type { Role } from '../../contract/roles.ts';

/** The lists an account has; each has a creation sequence, a total and a version of its own. */
export type CollectionName = 'clients' | 'appointments' | 'stylists' | 'payments' | 'webhooks';

/** Columns every record has. `record` is the JSON text as it is answered; the others exist to find it. */
interface RecordRow {
  account_id: string;
  /** Place in creation order, from 1; never given twice. */
  seq: number;
  id: string;
  created_ms: number;
  updated_ms: number;
  record: string;
}

/** A record's row but for its place, which the list gives. */
export type NewRow<Name extends CollectionName> = Omit<Tables[Name], 'seq'>;

/** Every table and its columns. Names ending in `_ms` are Unix milliseconds, in `_at` RFC 3339 text. */
export interface Tables {
  accounts: { id: string; name: string; plan: PlanName; hourly_limit: number | null; created_at: string };
  api_keys: {
    id: string;
    account_id: string;
    /** SHA-256 of the key, in hexadecimal. */
    hash: string;
    name: string;
    role: Role;
    /** A JSON list, or null where nothing is narrowed. */
    scopes: string | null;
    stylist_id: string | null;
    expires_at: string | null;
    revoked_at: string | null;
    created_at: string;
  };
  collections: {
    account_id: string;
    name: CollectionName;
    /** Raised by every write to the collection. */
    version: number;
    /** The last place given out. */
    last_seq: number;
    total: number;
    /** Every change after this version is noted; see `changes.ts`. */
    changes_since: number;
  };
  /** How many records live in each stretch of a sequence; see `blocks.ts`. */
  blocks: { account_id: string; collection: CollectionName; level: number; block: number; live: number };
  clients: RecordRow & {
    /** What `sort=last_name` compares. */
    last_name_key: string;
    email: string | null;
    phone_digits: string | null;
    /** Names and e-mail address, folded, for `q`. */
    search: string;
  };
  appointments: RecordRow & {
    client_id: string;
    stylist_id: string;
    status: AppointmentStatus;
    start_ms: number;
    end_ms: number;
  };
  stylists: RecordRow & { active: 0 | 1 };
  payments: RecordRow & {
    client_id: string | null;
    appointment_id: string | null;
    /** Whose work was paid: the stylist of the appointment. */
    stylist_id: string | null;
    status: PaymentStatus;
  };
  webhooks: RecordRow & {
    active: 0 | 1;
    /** What it is told of, a JSON list of patterns. */
    events: string;
    secret: string;
    /** Signs beside the new one until `former_secret_until_ms`. */
    former_secret: string | null;
    former_secret_until_ms: number | null;
  };
  /** What changed, written with the change itself. */
  events: {
    /** Rises with time. */
    seq: number;
    id: string;
    account_id: string;
    type: EventType;
    /** The client it is about, for events whose body holds personal data. */
    client_id: string | null;
    created_ms: number;
    /** JSON text as it is sent; null once the client was erased. */
    body: string | null;
  };
  /** One event on its way to one webhook. */
  deliveries: {
    /** Rises with time. */
    seq: number;
    id: string;
    account_id: string;
    webhook_id: string;
    /** The event's place. An event stays as long as a delivery of it does. */
    event_seq: number;
    type: EventType;
    status: DeliveryStatus;
    /** Tries made since it was last begun. */
    attempts: number;
    /** When the next try is due; null where none is to come. */
    next_ms: number | null;
    /** Until when the try under way is its process's alone; 0 where none is. */
    leased_until_ms: number;
    created_ms: number;
    updated_ms: number;
  };
  delivery_attempts: {
    delivery_id: string;
    /** From 1, over all tries there ever were. */
    number: number;
    at_ms: number;
    status_code: number | null;
    error: string | null;
    duration_ms: number;
  };
  /** What was answered to a request that can be sent again; see `kept-answers.ts`. */
  idempotency_keys: {
    /** Rises with time, so that what is old comes first. */
    seq: number;
    account_id: string;
    key: string;
    /** SHA-256 of what was asked for, in hexadecimal. */
    request: string;
    /** The record that was made. */
    record_id: string | null;
    /** JSON text; null once the record was erased. */
    answer: string | null;
    kept_ms: number;
  };
  rate_windows: {
    account_id: string;
    /** Unix seconds. */
    window_start: number;
    /** Requests handed to processes to spend; never more than the limit. */
    granted: number;
  };
}
