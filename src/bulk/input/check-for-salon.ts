import type { SalonClient } from '../../client/client.ts';
import { checkSheet, type SheetCheck } from './check-sheet.ts';
import { type EditOperation, fieldsOf } from './edit-fields.ts';
import type { SheetChecking } from './sheet-checking.ts';
import type { SheetForm } from './sheet-form.ts';

export interface SalonChecking extends Omit<SheetChecking, 'knownFields'> {
  readonly client: SalonClient;
}

/**
 * Checks every row of a sheet. Fields that the contract does not know are looked for in a record of the server's before
 * they are refused; `known` are all that may be used.
 */
export async function checkForSalon(
  path: string,
  form: SheetForm,
  { client, ...checking }: SalonChecking,
): Promise<{ readonly check: SheetCheck; readonly known: readonly string[] }> {
  const { edit } = checking;
  const ofContract = [...fieldsOf(edit.noun).keys()];
  const check = await checkSheet(path, form, checking);
  if (!check.faults.some(({ code }) => code === 'unknown_field')) return { check, known: ofContract };
  const known = [...new Set([...ofContract, ...(await readFieldNames(client, edit))])];
  return { check: await checkSheet(path, form, { ...checking, knownFields: known }), known };
}

async function readFieldNames(client: SalonClient, { noun }: EditOperation): Promise<readonly string[]> {
  for await (const { rows } of client[noun].list({}, { limit: 1 })) {
    const [record] = rows as readonly (object | undefined)[];
    return Object.keys(record ?? {});
  }
  return [];
}
