import type { AppointmentStatus } from '../../contract/appointment.ts';
import type { DeliveryStatus } from '../../contract/delivery.ts';
import type { EventType } from '../../contract/events.ts';
import type { PlanName } from '../../contract/limits.ts';
import type { PaymentStatus } from '../../contract/payment.ts';
import type { Role } from '../../contract/roles.ts';
import type { AuditTables } from './audit-tables.ts';
import type { IdentityTables } from './identity-tables.ts';
import type { OauthTables } from './oauth-tables.ts';

/** An account's lists. Each has its own creation sequence, total and version. */
export const collections = ['clients', 'appointments', 'stylists', 'payments', 'webhooks'] as const;

export type CollectionName = (typeof collections)[number];

/** Columns of every record. `record` is its JSON text; the others exist to find it. */
interface RecordRow {
  account_id: string;
  /** Position in creation order, from 1; never reused. */
  seq: number;
  id: string;
  created_ms: number;
  updated_ms: number;
  record: string;
}

/** A record's row without its position, which the collection assigns. */
export type NewRow<Name extends CollectionName> = Omit<Tables[Name], 'seq'>;

/** Every table and its columns. Names ending in `_ms` are Unix milliseconds, in `_at` RFC 3339 text. */
export interface Tables extends AuditTables, IdentityTables, OauthTables {
  accounts: {
    id: string;
    name: string;
    plan: PlanName;
    hourly_limit: number | null;
    /** Whether the account is for trials. */
    sandbox: 0 | 1;
    created_at: string;
    requires_second_factor: 0 | 1;
  };
  api_keys: {
    id: string;
    account_id: string;
    /** SHA-256 of the key, in hexadecimal. */
    hash: string;
    name: string;
    role: Role;
    /** A JSON list, or null for all scopes. */
    scopes: string | null;
    stylist_id: string | null;
    expires_at: string | null;
    revoked_at: string | null;
    created_at: string;
    /** The start of the key; null for keys made before it was kept. */
    prefix: string | null;
    /** The user who created it; null for keys of the operator. */
    created_by: string | null;
    /** A JSON list of addresses and ranges; null for any address. */
    allowed_addresses: string | null;
    last_used_ms: number | null;
    /** From creation to expiry, before a roll shortened it; null for keys that do not expire. */
    lifetime_ms: number | null;
    /** The key that it was rolled into. */
    replaced_by: string | null;
    /** The API key, grant or OAuth client that created it, and that it ends with; null for people and the operator. */
    created_with: string | null;
  };
  collections: {
    account_id: string;
    name: CollectionName;
    version: number;
    last_seq: number;
    total: number;
    /** Of the records' texts. */
    bytes: number;
  };
  /** How many records exist in each block of positions; see `row-counts.ts`. */
  clients: RecordRow & {
    /** The sort key of `sort=last_name`. */
    last_name_key: string;
    email: string | null;
    phone_digits: string | null;
    /** Names, email and phone number as `toSearchText` folds them, for `q`. */
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
    /** The stylist of the appointment. */
    stylist_id: string | null;
    status: PaymentStatus;
  };
  webhooks: RecordRow & {
    active: 0 | 1;
    /** Event patterns, a JSON list. */
    events: string;
    /** Sealed, like the former one. */
    secret: string;
    /** Also signs until `former_secret_until_ms`. */
    former_secret: string | null;
    former_secret_until_ms: number | null;
  };
  /** Written in the transaction of the change. */
  events: {
    account_id: string;
    /** Position in the account's events, from 1. The newest event is never deleted, so none is reused. */
    seq: number;
    id: string;
    type: EventType;
    /** The client whose personal data the body holds. */
    client_id: string | null;
    /** The client that the record belonged to before, if the body holds former texts. */
    former_client_id: string | null;
    created_ms: number;
    /** JSON text to send; null if no webhook asked for the event, and once the client that it describes was erased. */
    body: string | null;
    /** Bytes of the bodies of the account's events up to this one. */
    stored_bytes: number;
  };
  /** One event for one webhook. */
  deliveries: {
    account_id: string;
    /** An event is kept as long as any of its deliveries. */
    event_seq: number;
    webhook_id: string;
    id: string;
    type: EventType;
    status: DeliveryStatus;
    /** Attempts made since it was last queued. */
    attempts: number;
    /** When the next attempt is due; null when there is none. */
    next_ms: number | null;
    /** Until when one process holds it for an attempt; 0 when none does. */
    leased_until_ms: number;
    created_ms: number;
    updated_ms: number;
  };
  delivery_attempts: {
    account_id: string;
    event_seq: number;
    webhook_id: string;
    /** From 1, over all attempts. */
    number: number;
    at_ms: number;
    status_code: number | null;
    error: string | null;
    duration_ms: number;
    /** The start of the response body, with secrets masked; null if there was none or it was erased. */
    response: string | null;
  };
  /** Results of requests with an idempotency key. */
  idempotency_keys: {
    account_id: string;
    key: string;
    /** SHA-256 of the request, in hexadecimal. */
    request: string;
    /** The record in the result. */
    record_id: string | null;
    /** The client whose personal data the result holds. */
    client_id: string | null;
    /** The result as JSON; null once the record was erased. */
    answer: string | null;
    kept_ms: number;
  };
  /** Clients that were merged into others. Rows without an archive only tell which records to erase together. */
  merged_clients: {
    account_id: string;
    /** Position in the account's merges, from 1. */
    seq: number;
    id: string;
    into_id: string;
    merged_ms: number;
    /** What reverses the merge, as JSON; null once it was reversed or erased. */
    archive: string | null;
  };
  /** Erased clients whose remains may still be in the files of the database. */
  erasures: { account_id: string; id: string; erased_ms: number };
  rate_windows: {
    account_id: string;
    /** Unix seconds. */
    window_start: number;
    /** Requests granted to processes; never more than the limit. */
    granted: number;
  };
}
