import type { Violation } from '../../../contract/errors.ts';
import type { NewStylist, Stylist, StylistChange } from '../../../contract/stylist.ts';
import type { NewRow } from '../../db/tables.ts';
import { toStoredContact } from '../contact.ts';
import { findUnstorable } from '../violations.ts';

/** A stylist's fields but for those that only the service sets. */
export type StylistFields = Omit<Stylist, 'id' | 'created_at' | 'updated_at'>;

const noFields: StylistFields = {
  first_name: null,
  last_name: null,
  display_name: null,
  email: null,
  phone: null,
  active: true,
  services: [],
};

/** The fields of a new stylist, e-mail address and phone in their stored form. */
export function toStylistFields(body: NewStylist): StylistFields {
  return mergeStylist(noFields, body);
}

/** Fields with a change made: what is left out stays, `null` clears, what only the service sets is passed over. */
export function mergeStylist(
  current: StylistFields,
  body: StylistChange & { id?: unknown; created_at?: unknown; updated_at?: unknown },
): StylistFields {
  const { id, created_at, updated_at, ...change } = body;
  return { ...current, ...change, ...toStoredContact(change) };
}

/** Rules that a schema cannot say. */
export function findStylistViolations(fields: StylistFields): Violation[] {
  const violations = findUnstorable(fields);
  const names = [fields.first_name, fields.last_name, fields.display_name];
  if (names.every((name) => name === null || name.trim() === '')) {
    const detail = 'A stylist needs at least one of first_name, last_name and display_name.';
    violations.push({ pointer: '', code: 'required', detail });
  }
  return violations;
}

/** The row of a stylist: its record, and what it is found by. */
export function toStylistRow(accountId: string, stylist: Stylist): NewRow<'stylists'> {
  return {
    account_id: accountId,
    id: stylist.id,
    created_ms: Date.parse(stylist.created_at),
    updated_ms: Date.parse(stylist.updated_at),
    active: stylist.active ? 1 : 0,
    record: JSON.stringify(stylist),
  };
}
