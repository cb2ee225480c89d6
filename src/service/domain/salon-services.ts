import type { Violation } from '../../contract/errors.ts';
import { isSameService, type SalonService } from '../../contract/salon-service.ts';
import type { Stylist } from '../../contract/stylist.ts';
import { foldText } from '../../text/search-text.ts';
import type { Writer } from '../db/engine.ts';
import { readRecordTexts, readServiceByName } from '../db/records/records.ts';
import type { Context } from './context.ts';
import { recordChangeWithoutEvent } from './events.ts';
import { createListerOfAll } from './list-page.ts';
import { createGetter, replaceRecords } from './records.ts';
import { requireCurrency } from './salon-settings.ts';
import { createWrites } from './stored-resource.ts';
import { assertValidBody, findUnstorable } from './validation.ts';

export const listServices = createListerOfAll('listServices', 'services');

export const getService = createGetter('getService', 'services');

/**
 * Of two simultaneous services of one name exactly one is added. Stylists who offer a service get its new name;
 * appointments stay as they are. Writes also throw `salon_settings_missing`.
 */
export const {
  add: createService,
  change: updateService,
  remove: deleteService,
} = createWrites({
  name: 'Service',
  collection: 'services',
  validate,
  async respond(tx, context, { object, former = object }) {
    if (former.name !== object.name) {
      await renameForStylists(tx, context, { from: former.name, to: object.name });
    }
    return object;
  },
});

/** The longest name without case and accents: some letters become several. */
const maxNameKey = 200;

async function validate<Wanted extends Pick<SalonService, 'name' | 'price'>>(
  tx: Writer,
  { caller }: Context,
  { wanted, former }: { readonly wanted: Wanted; readonly former?: SalonService },
): Promise<Wanted> {
  const { name, price } = wanted;
  const accountId = caller.account.id;
  const violations: Violation[] = findUnstorable({ name });
  const nameKey = foldText(name);
  if (nameKey === '' || nameKey.length > maxNameKey) {
    const detail = `/name ${nameKey === '' ? 'has no letters' : 'is too long'}.`;
    violations.push({ pointer: '/name', code: 'invalid_format', detail });
  } else if (violations.length === 0) {
    const found = await readServiceByName(tx, { accountId, nameKey });
    if (found !== undefined && found.id !== former?.id) {
      violations.push({ pointer: '/name', code: 'taken', detail: `There is already a service "${name}".` });
    }
  }
  assertValidBody(violations);
  if (price !== null) await requireCurrency(tx, accountId);
  return wanted;
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
