import type { CellRules } from '../../bulk/edit/cell-rules.ts';
import { createCellRules } from '../../bulk/edit/cell-values.ts';
import { checkSheet, type SheetCheck } from '../../bulk/edit/check-sheet.ts';
import type { Edit } from '../../bulk/edit/edit.ts';
import { fieldsOf } from '../../bulk/edit/fields.ts';
import { detectSheetForm } from '../../bulk/sheet/detect-sheet.ts';
import type { SheetForm } from '../../bulk/sheet/sheet-form.ts';
import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Call } from '../call.ts';
import { countOf } from './describe-plan.ts';
import type { EditFlags } from './edit-options.ts';
import { refuseSheet } from './refuse-sheet.ts';

export interface SheetReading {
  /** Where it lies, and what people know it by. */
  readonly path: string;
  readonly name: string;
  readonly edit: Edit;
  readonly client: SalonClient;
  readonly call: Call<EditFlags>;
}

/** Finds out how a sheet is written, says so, and checks every row of it. Throws `usage` naming all that is wrong. */
export async function readSoundForm(
  reading: SheetReading,
): Promise<{ readonly form: SheetForm; readonly rules: CellRules }> {
  const { path, name, edit, call } = reading;
  const { sheetFormat: format, guarded: isGuarded } = call.flags;
  const form = await detectSheetForm(path, { name, format, isGuarded });
  if (isGuarded !== undefined && form.format !== 'csv') {
    throw new SalonError('usage', `Only a CSV can be guarded, and ${name} is ${form.format.toUpperCase()}.`, {
      hint: 'Leave out --guarded, or say --sheet-format csv.',
    });
  }
  const timeZone = (await call.session()).settings.timeZone.value;
  const { check, known } = await checkWithKnown(reading, form, timeZone);
  call.talk.say(`${name}: ${describeForm(form)}, ${countOf(check.rows, 'rows')}`);
  if (check.faultCount > 0) {
    throw refuseSheet({ name, faults: check.faults, count: check.faultCount, known });
  }
  if (check.ignoredColumns.length > 0) call.talk.explain(`Passed over: ${check.ignoredColumns.join(', ')}`);
  return { form, rules: createCellRules({ format: form.format, noun: edit.noun, timeZone }) };
}

/** Fields that the contract does not know are looked for in a record of the server's before they are refused. */
async function checkWithKnown(
  { path, edit, client, call }: SheetReading,
  form: SheetForm,
  timeZone: string,
): Promise<{ readonly check: SheetCheck; readonly known: readonly string[] }> {
  const { allowNewFields } = call.flags;
  const ofContract = [...fieldsOf(edit.noun).keys()];
  const checking = { edit, allowNewFields, now: call.io.now(), timeZone };
  const check = await checkSheet(path, form, checking);
  if (!check.faults.some(({ code }) => code === 'unknown_field')) return { check, known: ofContract };
  const known = [...new Set([...ofContract, ...(await readFieldNames(client, edit))])];
  return { check: await checkSheet(path, form, { ...checking, knownFields: known }), known };
}

async function readFieldNames(client: SalonClient, { noun }: Edit): Promise<readonly string[]> {
  for await (const { rows } of client[noun].list({}, { limit: 1 })) {
    const [record] = rows as readonly (object | undefined)[];
    return Object.keys(record ?? {});
  }
  return [];
}

const encodings: Readonly<Record<SheetForm['encoding'], string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
};
const delimiterNames: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
};

/** `CSV with semicolons, Windows-1252, guarded for Excel` */
function describeForm({ format, delimiter, encoding, isGuarded }: SheetForm): string {
  const kind = delimiter === null ? format.toUpperCase() : `CSV with ${delimiterNames[delimiter]}`;
  return [kind, encodings[encoding], ...(isGuarded ? ['guarded for Excel'] : [])].join(', ');
}
