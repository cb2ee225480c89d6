import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import type { NewStylist, Stylist, StylistChange } from '../../contract/stylist.ts';
import type { Reader } from '../db/engine.ts';
import { insertRecord, readRecord, updateRecords } from '../db/records.ts';
import type { NewRow } from '../db/tables.ts';
import { authorize } from './authorization.ts';
import type { Context } from './context.ts';
import { assertStorableQuery, type PageOfCollection, readCollectionPage } from './list-page.ts';
import { assertIfMatch, createId, nextUpdatedAt, notFound } from './records.ts';
import { findUnstorable, invalidBody, toStoredContact } from './validation.ts';

/** What a stylist is changed by. */
export interface StylistUpdate {
  readonly change: BodyOf<'updateStylist'>;
  /** The tags one of which the stylist must have; any will do where this is left out. */
  readonly ifMatch?: readonly string[] | undefined;
}

/** One page of the stylists, those who have left among them. Throws `invalid_parameter`. */
export async function listStylists(
  context: Context,
  query: QueryOf<'listStylists'>,
): Promise<PageOfCollection> {
  authorize(context.caller, 'listStylists');
  assertStorableQuery(query);
  return readCollectionPage(context, { collection: 'stylists', query, conditions: [] });
}

export async function getStylist(context: Context, id: string): Promise<Stylist> {
  authorize(context.caller, 'getStylist');
  return readStylist(context.database.reader, context, id);
}

/** Adds a stylist. Throws `validation_failed`. */
export async function createStylist(context: Context, body: BodyOf<'createStylist'>): Promise<Stylist> {
  const { database, environment, caller } = context;
  authorize(caller, 'createStylist');
  const fields = toStylistFields(body);
  assertValid(fields);
  return database.transaction(async (tx) => {
    const now = environment.now().toISOString();
    const stylist = { id: createId('stylist', environment), ...fields, created_at: now, updated_at: now };
    await insertRecord(tx, 'stylists', toStylistRow(caller.account.id, stylist));
    return stylist;
  });
}

/**
 * Changes the fields given and no others. A stylist who is made inactive keeps every appointment and gets no new
 * one. Throws `not_found`, `precondition_failed` and `validation_failed`.
 */
export async function updateStylist(
  context: Context,
  id: string,
  { change, ifMatch }: StylistUpdate,
): Promise<Stylist> {
  const { database, environment, caller } = context;
  authorize(caller, 'updateStylist');
  return database.transaction(async (tx) => {
    const stylist = await readStylist(tx, context, id);
    assertIfMatch(stylist, ifMatch);
    const { id: _, created_at, updated_at: __, ...current } = stylist;
    const fields = mergeStylist(current, change);
    if (JSON.stringify(fields) === JSON.stringify(current)) {
      return stylist;
    }
    assertValid(fields);
    const changed = { id, ...fields, created_at, updated_at: nextUpdatedAt(stylist, environment.now()) };
    await updateRecords(tx, 'stylists', [toStylistRow(caller.account.id, changed)]);
    return changed;
  });
}

async function readStylist(reader: Reader, { caller }: Context, id: string): Promise<Stylist> {
  const found = await readRecord(reader, 'stylists', { accountId: caller.account.id, id });
  if (found === undefined) {
    throw notFound('stylist', id);
  }
  return JSON.parse(found.record);
}

function assertValid(fields: StylistFields): void {
  const violations = findStylistViolations(fields);
  if (violations.length > 0) {
    throw invalidBody(violations);
  }
}

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

/** What is wrong with a body that names a stylist who stands so with the account; nothing for an active one. */
export function toStylistViolations(
  pointer: string,
  standing: 'active' | 'inactive' | undefined,
): Violation[] {
  if (standing === undefined) {
    return [{ pointer, code: 'not_found', detail: `${pointer} names no stylist of this account.` }];
  }
  return standing === 'inactive'
    ? [{ pointer, code: 'inactive', detail: `${pointer} names a stylist who is not active.` }]
    : [];
}
