import type { AppointmentStatus } from '../../contract/appointment.ts';
import type { IdentifierKind } from '../../contract/identifiers.ts';
import type { PaymentStatus } from '../../contract/payment.ts';
import type { WaitlistEntry } from '../../contract/waitlist.ts';

/** An account's lists, and the name of a record in each. Each has its own creation sequence, total and version. */
export const recordNames = {
  clients: 'client',
  appointments: 'appointment',
  stylists: 'stylist',
  payments: 'payment',
  webhooks: 'webhook',
  blocked_times: 'blocked_time',
  services: 'service',
  waitlist_entries: 'waitlist_entry',
} as const satisfies Record<string, IdentifierKind>;

export type CollectionName = keyof typeof recordNames;

export const collections = Object.keys(recordNames) as CollectionName[];

/** Columns of every record; the others exist to find it. Names ending in `_ms` are Unix milliseconds. */
interface RecordRow {
  account_id: string;
  /** Position in creation order, from 1; never reused. */
  seq: number;
  id: string;
  created_ms: number;
  updated_ms: number;
  /** The record as JSON. */
  record: string;
}

/** Of a row with folded texts: the `updated_ms` of the record that they were folded from. */
interface FoldedRow {
  folded_ms: number | null;
}

/** The columns of each list that follow from the record. */
export interface DerivedColumns {
  clients: FoldedRow & {
    /** The sort key of `sort=last_name`. */
    last_name_key: string;
    email: string | null;
    phone_digits: string | null;
    /** Names, email and phone number as `toSearchText` folds them, for `q`. */
    search: string;
  };
  appointments: {
    client_id: string;
    stylist_id: string;
    status: AppointmentStatus;
    start_ms: number;
    end_ms: number;
    /** Whether a price is paid, in any status; null without a price. */
    payment: 'due' | 'check' | 'paid' | null;
  };
  stylists: { active: 0 | 1 };
  payments: {
    client_id: string | null;
    appointment_id: string | null;
    status: PaymentStatus;
  };
  webhooks: {
    active: 0 | 1;
    /** Event patterns, a JSON list. */
    events: string;
  };
  blocked_times: {
    /** Null for the whole salon. */
    stylist_id: string | null;
    start_ms: number;
    end_ms: number;
  };
  services: FoldedRow & {
    /** The name as `foldText` folds it. */
    name_key: string;
    active: 0 | 1;
    price: number | null;
  };
  waitlist_entries: {
    client_id: string;
    /** Null for anyone. */
    stylist_id: string | null;
    /** As stored: it does not say that an entry has expired. */
    status: WaitlistEntry['status'];
    start_ms: number;
    end_ms: number;
  };
}

/** Columns that do not follow from the record. */
interface OtherColumns {
  payments: {
    /** The stylist of the appointment. */
    stylist_id: string | null;
  };
  webhooks: {
    /** Sealed, like the former one. */
    secret: string;
    /** Also signs until `former_secret_until_ms`. */
    former_secret: string | null;
    former_secret_until_ms: number | null;
  };
}

/** The row of a record in each of the lists. */
export type RecordRows = {
  [Name in CollectionName]: RecordRow &
    DerivedColumns[Name] &
    (Name extends keyof OtherColumns ? OtherColumns[Name] : unknown);
};

/** A record's row without its position, which the collection assigns. */
export type NewRow<Name extends CollectionName> = Omit<RecordRows[Name], 'seq'>;

/** What of a row follows from the record. */
export type DerivedRow<Name extends CollectionName> = Omit<RecordRow, 'seq'> & DerivedColumns[Name];
