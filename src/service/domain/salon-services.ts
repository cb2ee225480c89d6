import type { BodyOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import { isSameService, type SalonService } from '../../contract/salon-service.ts';
import type { Stylist } from '../../contract/stylist.ts';
import { foldText } from '../../text/search-text.ts';
import type { Writer } from '../db/engine.ts';
import { deleteRecord, insertRecord, readRecordTexts, readServiceByName } from '../db/records/records.ts';
import { recordAudit } from './audit.ts';
import type { Context } from './context.ts';
import { recordChangeWithoutEvent } from './events.ts';
import { createListerOfAll } from './list-page.ts';
import {
  createGetter,
  createStoredRecord,
  type IfMatch,
  isUnchanged,
  type RecordUpdate,
  replaceRecord,
  replaceRecords,
  toStoredRow,
} from './records.ts';
import { requireCurrency } from './salon-settings.ts';
import { assertValidBody, findUnstorable } from './validation.ts';
import { transact, transactOn } from './write-record.ts';

export const listServices = createListerOfAll('listServices', 'services');

export const getService = createGetter('getService', 'services');

/** Of two simultaneous services of one name exactly one is added. Throws `validation_failed`, `salon_settings_missing`. */
export async function createService(context: Context, body: BodyOf<'createService'>): Promise<SalonService> {
  const { name, duration, price = null, active = true } = body;
  const accountId = context.caller.account.id;
  return transact(context, 'createService', async (tx) => {
    const object = createStoredRecord('service', { name, duration, price, active }, context.environment);
    await assertValid(tx, accountId, object);
    await insertRecord(tx, 'services', toStoredRow(accountId, 'services', object));
    await recordChangeWithoutEvent(tx, context, { action: 'service.created', id: object.id, object });
    return object;
  });
}

/**
 * Changes the given fields. Stylists who offer the service get its new name; appointments stay as they are.
 * Throws `not_found`, `precondition_failed`, `validation_failed` and `salon_settings_missing`.
 */
export async function updateService(
  context: Context,
  id: string,
  { change, ifMatch }: RecordUpdate<BodyOf<'updateService'>>,
): Promise<SalonService> {
  const wanted = { collection: 'services', id, ifMatch } as const;
  return transactOn(context, 'updateService', wanted, async (tx, former) => {
    const { id: _id, created_at, updated_at, ...given } = change;
    const merged = { ...former, ...given };
    if (isUnchanged(former, merged)) return former;
    await assertValid(tx, context.caller.account.id, merged);
    const object = await replaceRecord(tx, context, { collection: 'services', former, object: merged });
    await recordChangeWithoutEvent(tx, context, { action: 'service.updated', id, former, object });
    if (former.name !== object.name) {
      await renameForStylists(tx, context, { from: former.name, to: object.name });
    }
    return object;
  });
}

/** Deletes a service; appointments and stylists keep its name. Throws `not_found` and `precondition_failed`. */
export async function deleteService(
  context: Context,
  id: string,
  { ifMatch }: IfMatch = {},
): Promise<undefined> {
  const wanted = { collection: 'services', id, ifMatch } as const;
  await transactOn(context, 'deleteService', wanted, async (tx, former, { seq }) => {
    await deleteRecord(tx, { accountId: context.caller.account.id, collection: 'services' }, seq);
    await recordAudit(tx, context, { action: 'service.deleted', id, former });
  });
}

/** The longest name without case and accents: some letters become several. */
const maxNameKey = 200;

/** Checks what a schema cannot. */
async function assertValid(tx: Writer, accountId: string, service: SalonService): Promise<void> {
  const { id, name, price } = service;
  const violations: Violation[] = findUnstorable({ name });
  const nameKey = foldText(name);
  if (nameKey === '' || nameKey.length > maxNameKey) {
    const detail = `/name ${nameKey === '' ? 'has no letters' : 'is too long'}.`;
    violations.push({ pointer: '/name', code: 'invalid_format', detail });
  } else if (violations.length === 0) {
    const found = await readServiceByName(tx, { accountId, nameKey });
    if (found !== undefined && found.id !== id) {
      violations.push({ pointer: '/name', code: 'taken', detail: `There is already a service "${name}".` });
    }
  }
  assertValidBody(violations);
  if (price !== null) await requireCurrency(tx, accountId);
}

/** Renames a service in the lists of the stylists who offer it. */
async function renameForStylists(
  tx: Writer,
  context: Context,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const records = await readRecordTexts(tx, 'stylists', { account_id: context.caller.account.id });
  const changes = records.flatMap((text) => {
    const former: Stylist = JSON.parse(text);
    const renamed = former.services.map((name) => (isSameService(name, from) ? to : name));
    const services = [...new Map(renamed.map((name) => [foldText(name), name])).values()];
    const isOffered = former.services.some((name) => isSameService(name, from));
    return isOffered ? [{ former, object: { ...former, services } }] : [];
  });
  for (const { former, object } of await replaceRecords(tx, context, { collection: 'stylists', changes })) {
    await recordChangeWithoutEvent(tx, context, { action: 'stylist.updated', id: object.id, former, object });
  }
}
