import type { BodyOf, QueryOf } from '../../../contract/endpoints.ts';
import type { Stylist } from '../../../contract/stylist.ts';
import type { Reader } from '../../db/engine.ts';
import { addRecord, changeRecords } from '../../db/lists/collections.ts';
import { readRecord } from '../../db/lists/records.ts';
import type { Context } from '../context.ts';
import { newId } from '../identifiers.ts';
import { assertStorableQuery, type ListPage, readListPage } from '../lists/list-page.ts';
import { notFound } from '../not-found.ts';
import { assertMatch, toNextInstant } from '../record-tag.ts';
import { assertMay } from '../rights.ts';
import { invalidBody } from '../violations.ts';
import {
  findStylistViolations,
  mergeStylist,
  type StylistFields,
  toStylistFields,
  toStylistRow,
} from './stylist-record.ts';

/** What a stylist is changed by. */
export interface StylistUpdate {
  readonly change: BodyOf<'updateStylist'>;
  /** The tags one of which the stylist must have; any will do where this is left out. */
  readonly ifMatch?: readonly string[] | undefined;
}

/** One page of the stylists, those who have left among them. Throws `invalid_parameter`. */
export async function listStylists(context: Context, query: QueryOf<'listStylists'>): Promise<ListPage> {
  assertMay(context.principal, 'listStylists');
  assertStorableQuery(query);
  return readListPage(context, { collection: 'stylists', query, conditions: [] });
}

export async function getStylist(context: Context, id: string): Promise<Stylist> {
  assertMay(context.principal, 'getStylist');
  return readStylist(context.database.reader, context, id);
}

/** Adds a stylist. Throws `validation_failed`. */
export async function createStylist(context: Context, body: BodyOf<'createStylist'>): Promise<Stylist> {
  const { database, environment, principal } = context;
  assertMay(principal, 'createStylist');
  const fields = toStylistFields(body);
  assertValid(fields);
  return database.transaction(async (tx) => {
    const now = environment.now().toISOString();
    const stylist = { id: newId('stylist', environment), ...fields, created_at: now, updated_at: now };
    await addRecord(tx, 'stylists', toStylistRow(principal.account.id, stylist));
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
  const { database, environment, principal } = context;
  assertMay(principal, 'updateStylist');
  return database.transaction(async (tx) => {
    const stylist = await readStylist(tx, context, id);
    assertMatch(stylist, ifMatch);
    const { id: _, created_at, updated_at: __, ...current } = stylist;
    const fields = mergeStylist(current, change);
    if (JSON.stringify(fields) === JSON.stringify(current)) {
      return stylist;
    }
    assertValid(fields);
    const changed = { id, ...fields, created_at, updated_at: toNextInstant(stylist, environment.now()) };
    await changeRecords(tx, 'stylists', [toStylistRow(principal.account.id, changed)]);
    return changed;
  });
}

async function readStylist(reader: Reader, { principal }: Context, id: string): Promise<Stylist> {
  const found = await readRecord(reader, 'stylists', { accountId: principal.account.id, id });
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
