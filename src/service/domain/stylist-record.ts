import type { Tables } from '../store/tables.ts';

/** One stylist, as the service keeps it. */
export interface Stylist {
  readonly id: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly display_name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** Whether new appointments may be booked. */
  readonly active: boolean;
  readonly services: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** The row of a stylist: its record, and what it is found by. */
export function toStylistRow(accountId: string, stylist: Stylist): Omit<Tables['stylists'], 'seq'> {
  return {
    account_id: accountId,
    id: stylist.id,
    created_ms: Date.parse(stylist.created_at),
    updated_ms: Date.parse(stylist.updated_at),
    active: stylist.active ? 1 : 0,
    record: JSON.stringify(stylist),
  };
}
