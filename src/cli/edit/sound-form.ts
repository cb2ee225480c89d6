import { detectSheetForm } from '../../bulk/input/detect-sheet.ts';
import type { EditOperation } from '../../bulk/input/edit-fields.ts';
import { checkForSalon, refuseSheet } from '../../bulk/input/validate-sheet.ts';
import type { RowFault, SheetForm } from '../../bulk/sheet/sheet-form.ts';
import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../contract/numbers.ts';
import { closest } from '../flags/suggest.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { EditFlags } from './edit-options.ts';

export interface SheetReading {
  /** Where it lies, and what people know it by. */
  readonly path: string;
  readonly name: string;
  readonly edit: EditOperation;
  readonly client: SalonClient;
  readonly context: CommandContext<EditFlags>;
}

/** Finds out how a sheet is written, says so, and checks every row of it. Throws `usage` naming all that is wrong. */
export async function readSoundForm({ path, name, edit, client, context }: SheetReading): Promise<SheetForm> {
  const { sheetFormat: format, guarded: isGuarded, allowNewFields } = context.flags;
  const form = await detectSheetForm(path, { name, format, isGuarded });
  if (isGuarded !== undefined && form.format !== 'csv') {
    throw new SalonError('usage', `Only a CSV can be guarded, and ${name} is ${form.format.toUpperCase()}.`, {
      hint: 'Leave out --guarded, or say --sheet-format csv.',
    });
  }
  const timeZone = (await context.session()).settings.timeZone.value;
  const checking = { client, edit, allowNewFields, now: context.io.now(), timeZone };
  const { check, known } = await checkForSalon(path, form, checking);
  context.messages.info(`${name}: ${describeForm(form)}, ${countOf(check.rows, 'rows')}`);
  if (check.faultCount > 0) {
    const faults = check.faults.map((fault) => withSuggestion(fault, known));
    throw refuseSheet({ name, faults, count: check.faultCount, known });
  }
  if (check.ignoredColumns.length > 0)
    context.messages.verbose(`Passed over: ${check.ignoredColumns.join(', ')}`);
  return form;
}

function withSuggestion(fault: RowFault, known: readonly string[]): RowFault {
  const { code, column, reason } = fault;
  const near = code === 'unknown_field' && column !== null ? closest(column, known) : undefined;
  return near === undefined ? fault : { ...fault, reason: `${reason} Did you mean ${near}?` };
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
