import type { BodyOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import { normaliseHours } from '../../contract/formats.ts';
import type { NewStylist, Stylist, StylistChange } from '../../contract/stylist.ts';
import { deleteOpenLinks } from '../db/identity/one-time-links.ts';
import { insertRecord, type StylistStatus } from '../db/records/records.ts';
import { authorize } from './authorization.ts';
import type { Context } from './context.ts';
import { recordChangeWithoutEvent } from './events.ts';
import { createListerOfAll } from './list-page.ts';
import {
  createGetter,
  createStoredRecord,
  findStoredRecord,
  isUnchanged,
  type RecordUpdate,
  replaceRecord,
  toStoredRow,
} from './records.ts';
import { revokeAccessOf } from './revoke-access.ts';
import { assertValidBody, findUnstorable, toStoredContact } from './validation.ts';
import { transact } from './write-record.ts';

type StylistFields = Omit<Stylist, 'id' | 'created_at' | 'updated_at'>;

const noFields: StylistFields = {
  first_name: null,
  last_name: null,
  display_name: null,
  email: null,
  phone: null,
  active: true,
  services: [],
  working_hours: null,
};

export const listStylists = createListerOfAll('listStylists', 'stylists');

export const getStylist = createGetter('getStylist', 'stylists');

/** Throws `validation_failed`. */
export async function createStylist(context: Context, body: BodyOf<'createStylist'>): Promise<Stylist> {
  return transact(context, 'createStylist', async (tx) => {
    const merged = mergeStylist(noFields, body);
    assertValidBody(findViolations(merged));
    const { working_hours, ...fields } = merged;
    // Extensions come last, as in the schema.
    const object = { ...createStoredRecord('stylist', fields, context.environment), working_hours };
    await insertRecord(tx, 'stylists', toStoredRow(context.caller.account.id, 'stylists', object));
    await recordChangeWithoutEvent(tx, context, { action: 'stylist.created', id: object.id, object });
    return object;
  });
}

/**
 * Changes the given fields. A stylist who becomes inactive keeps existing appointments and gets no new ones;
 * their sessions, tokens, API keys and invitations end.
 * Throws `not_found`, `precondition_failed` and `validation_failed`.
 */
export async function updateStylist(
  context: Context,
  id: string,
  { change, ifMatch }: RecordUpdate<BodyOf<'updateStylist'>>,
): Promise<Stylist> {
  const { database, caller } = context;
  authorize(caller, 'updateStylist');
  const accountId = caller.account.id;
  // The access that ends with a stylist is not the account's alone.
  const lock = change.active === false ? 'service' : { accountId };
  return database.transaction(lock, async (tx) => {
    await tx.lockAccount(accountId);
    const { record: former } = await findStoredRecord(tx, caller, { collection: 'stylists', id, ifMatch });
    const merged = mergeStylist(former, change);
    if (isUnchanged(former, merged)) return former;
    assertValidBody(findViolations(merged));
    const object = await replaceRecord(tx, context, { collection: 'stylists', former, object: merged });
    await recordChangeWithoutEvent(tx, context, { action: 'stylist.updated', id, former, object });
    if (former.active && !object.active) {
      await revokeAccessOf(tx, context, { stylistId: id });
      await deleteOpenLinks(tx, { accountId, stylistId: id });
    }
    return object;
  });
}

/** Violations of a body that names a stylist with this status: the stylist must exist and be active. */
export function checkStylist(pointer: string, status: StylistStatus): Violation[] {
  if (status === undefined) {
    return [{ pointer, code: 'not_found', detail: `${pointer} is not the ID of a stylist.` }];
  }
  return status === 'active'
    ? []
    : [{ pointer, code: 'inactive', detail: `${pointer} is the ID of an inactive stylist.` }];
}

/** Applies a change: missing fields stay, `null` clears, read-only fields are ignored. */
function mergeStylist<Fields extends StylistFields>(
  current: Fields,
  body: (NewStylist | StylistChange) & { id?: unknown; created_at?: unknown; updated_at?: unknown },
): Fields {
  const { id, created_at, updated_at, ...change } = body;
  const { working_hours: hours } = change;
  const stored = typeof hours === 'string' ? { working_hours: normaliseHours(hours) } : {};
  return { ...current, ...change, ...stored, ...toStoredContact(change) };
}

/** Rules that a schema cannot express. */
function findViolations(fields: StylistFields): Violation[] {
  const violations = findUnstorable(fields);
  const names = [fields.first_name, fields.last_name, fields.display_name];
  if (names.every((name) => name === null || name.trim() === '')) {
    const detail = 'A stylist needs at least one of first_name, last_name and display_name.';
    violations.push({ pointer: '', code: 'required', detail });
  }
  return violations;
}
