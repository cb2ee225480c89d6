import type { Client } from '../../contract/client.ts';
import type { BodyOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import { toSortKey } from '../../contract/formats.ts';
import { toDigits } from '../../contract/phone-forms.ts';
import { toFullNames, toSearchText } from '../../contract/search-text.ts';
import type { NewRow } from '../db/record-rows.ts';
import { findUnstorable, toStoredContact } from './validation.ts';

/** The fields of a client that callers can set. */
export type ClientFields = Omit<Client, 'id' | 'created_at' | 'updated_at'>;

const noFields: ClientFields = {
  first_name: null,
  last_name: null,
  email: null,
  phone: null,
  birthday: null,
  notes: null,
  preferred_stylist_id: null,
  tags: [],
  email_marketing_consent: false,
  sms_marketing_consent: false,
  external_id: null,
};

/** The fields of a new client, email and phone in stored form. */
export function toClientFields(body: BodyOf<'createClient'>): ClientFields {
  return mergeClient(noFields, body);
}

/** Applies a change: missing fields stay, `null` clears, read-only fields are ignored. */
export function mergeClient<Fields extends ClientFields>(
  current: Fields,
  body: BodyOf<'updateClient'>,
): Fields {
  const { id, created_at, updated_at, ...change } = body;
  return { ...current, ...change, ...toStoredContact(change) };
}

/** Rules that a schema cannot express. `today` is the current day in UTC. */
export function findClientViolations(fields: ClientFields, today: string): Violation[] {
  const violations = findUnstorable(fields);
  const names = [fields.first_name, fields.last_name, fields.email, fields.phone];
  if (names.every((name) => name === null || name.trim() === '')) {
    const detail = 'A client needs at least one of first_name, last_name, email and phone.';
    violations.push({ pointer: '', code: 'required', detail });
  }
  if (fields.birthday !== null && fields.birthday > today) {
    violations.push({ pointer: '/birthday', code: 'out_of_range', detail: '/birthday is in the future.' });
  }
  return violations;
}

/** The row of a client. */
export function toClientRow(accountId: string, client: Client): NewRow<'clients'> {
  const { id, first_name, last_name, email, phone } = client;
  return {
    account_id: accountId,
    id,
    created_ms: Date.parse(client.created_at),
    updated_ms: Date.parse(client.updated_at),
    last_name_key: toSortKey(last_name ?? ''),
    email,
    phone_digits: phone === null ? null : toDigits(phone),
    search: toSearchText(toFullNames(first_name ?? '', last_name ?? ''), email ?? '', phone ?? ''),
    record: JSON.stringify(client),
  };
}
