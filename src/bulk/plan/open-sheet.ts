import type { SalonClient } from '../../client/client.ts';
import type { SalonService } from '../../contract/salon-service.ts';
import type { Phones } from '../../text/phone-reader.ts';
import { type AmountReading, readCurrencies } from '../input/amount-columns.ts';
import { type CellRules, createCellRules } from '../input/cell-values.ts';
import { lacksDuration } from '../input/complete-fields.ts';
import { type DetectOptions, detectSheetForm } from '../input/detect-sheet.ts';
import { addsRecords, type EditOperation, fieldsOf, readOnlyFieldsOf } from '../input/edit-fields.ts';
import type { NameSplit } from '../input/person-names.ts';
import { readSheet } from '../input/read-sheet.ts';
import type { UnusualDays } from '../input/unusual-days.ts';
import { hasColumn } from '../input/validate-row.ts';
import { readFieldNames, type SheetReport } from '../input/validate-sheet.ts';
import type { SheetForm } from '../sheet/sheet-form.ts';
import type { CurrentRecordsOptions } from './current-records.ts';
import type { ImportReading } from './plan-import.ts';

/** A sheet as detected and validated. */
export interface CheckedSheet extends SheetReport {
  readonly name: string;
  readonly form: SheetForm;
  /** How columns write dates with slashes. */
  readonly dayOrders: ReturnType<CellRules['dayOrders']>;
  readonly names: ReturnType<CellRules['names']>;
  /** Cells that stand for no day, such as 0001-01-01, and are left blank. */
  readonly emptyDays: readonly UnusualDays[];
  /** Whether commas separate tags. */
  readonly splitsCommas: boolean;
  /** Cells with a yes or no that is not given yet, by field. */
  readonly pending: ReturnType<CellRules['pending']>;
  /** IANA name of the zone of times without one. */
  readonly timeZone: string;
  /** How phones without a country code were read. */
  readonly phones: Pick<Phones, 'country' | 'callingCode'> | undefined;
}

/** How to read a sheet, and what to tell about it. */
export interface SheetReading
  extends AmountReading,
    ImportReading,
    Pick<CurrentRecordsOptions, 'onProgress'> {
  readonly allowNewFields?: boolean | undefined;
  /** Where names of several words are split; without it, rows with them are refused. */
  readonly splitNames?: NameSplit | undefined;
  /** Whether the phones of a row that are not taken go to the notes, with their labels. */
  readonly keepsPhones?: boolean | undefined;
  /** Reads the ISO 3166 code of the salon's country; called for sheets with phone numbers. */
  readonly readCountry?: (() => Promise<string | undefined>) | undefined;
  /** Reads the services of the salon; called for new appointments without a duration. */
  readonly readServices?: (() => Promise<readonly SalonService[] | undefined>) | undefined;
  /**
   * What becomes of new clients who exist already: `skip` leaves out their rows and those that repeat an earlier row,
   * `add` does not look for them. By default they are added, too, and the plan names them.
   */
  readonly existing?: 'skip' | 'add' | undefined;
  /**
   * Called where a column of days has times of day; resolves with whether each is the day that begins nearest to it.
   * Otherwise rows with them are refused.
   */
  readonly confirmDays?: ((days: UnusualDays) => Promise<boolean>) | undefined;
  /** Called where tags have commas and no semicolon; resolves with whether commas separate them. */
  readonly confirmCommas?: ((cells: { count: number; example: string }) => Promise<boolean>) | undefined;
  /** Called once the sheet is validated, before faults are thrown. */
  readonly onSheet?: ((sheet: CheckedSheet) => void) | undefined;
  /** Called with the lines that change a phone number to one that its country does not seem to have. */
  readonly onInvalidPhones?: ((lines: readonly number[]) => void) | undefined;
  /** Called with the reason if it is unknown which new clients exist already. */
  readonly onUnsearched?: ((reason: string) => void) | undefined;
}

export interface SheetChecking extends DetectOptions, SheetReading {
  readonly client: SalonClient;
  readonly edit: EditOperation;
  readonly name: string;
  /** IANA name of the zone of times without one. */
  readonly timeZone: string;
  readonly now: Date;
}

/** Detects the form of a sheet, and reads what its cells are read by. */
export async function openSheet(path: string, checking: SheetChecking) {
  const { client, edit, timeZone, now, splitNames, keepsPhones } = checking;
  const { noun } = edit;
  let serverFields: Promise<readonly string[]> | undefined;
  const readNames = () => (serverFields ??= readFieldNames(client, noun));
  const form = await readForm(path, checking, readNames);
  const phones = await openPhones(form, checking);
  const services = await readServices(path, form, checking);
  const takesNoYear = client.dialect(noun).birthdayWithoutYear !== null;
  const rules = createCellRules({
    ...{ ...form, noun, timeZone, now, phones, splitNames, keepsPhones, services, takesNoYear },
  });
  return { form, phones, services, rules, readFieldNames: readNames };
}

/** The form of a sheet, with the currencies of its amounts. */
async function readForm(
  path: string,
  checking: SheetChecking,
  readNames: () => Promise<readonly string[]>,
): Promise<SheetForm> {
  const { client, edit, allowNewFields } = checking;
  const { noun, verb, match } = edit;
  const knownFields = [...fieldsOf(noun).keys(), ...readOnlyFieldsOf(noun), match];
  const asksUnknown = verb !== 'delete' && allowNewFields !== true;
  const reading = { ...checking, knownFields, readFieldNames: readNames };
  const form = await detectSheetForm(path, {
    ...reading,
    toContract: client.dialect(noun).map?.toContract,
    recognises: asksUnknown ? noun : undefined,
    asksUnknown,
  });
  const currencies = verb === 'delete' ? undefined : await readCurrencies(path, form, reading);
  return currencies === undefined ? form : { ...form, currencies };
}

/** The reader of phones, for a sheet that has some. */
async function openPhones(
  form: SheetForm,
  { edit, readCountry }: SheetChecking,
): Promise<Phones | undefined> {
  const { noun, verb, match } = edit;
  if (noun !== 'clients' || (verb === 'delete' && match !== 'phone') || !hasColumn(form, 'phone'))
    return undefined;
  return (await import('../../text/phone-reader.ts')).createPhones(await readCountry?.());
}

/** The services that say how long new appointments take whose rows do not; undefined if all do, or no service is listed. */
async function readServices(path: string, form: SheetForm, checking: SheetChecking) {
  const { edit, signal } = checking;
  if (edit.noun === 'clients' || !addsRecords(edit.verb)) return undefined;
  for await (const { cells } of readSheet(path, form, signal)) {
    if (!lacksDuration(cells, form)) continue;
    return (await checking.readServices?.())?.filter(({ active }) => active);
  }
  return undefined;
}

/** Asks whether commas separate tags, and tells what was found. */
export async function tellSheet(
  report: SheetReport,
  { form, rules, phones }: Awaited<ReturnType<typeof openSheet>>,
  { name, timeZone, confirmCommas, onSheet }: SheetChecking,
): Promise<void> {
  const names = rules.names();
  const [commas] = report.commaCells.values();
  const splitsCommas = commas !== undefined && (await confirmCommas?.(commas)) === true;
  if (splitsCommas) rules.splitCommas();
  onSheet?.({
    ...{ ...report, name, form, names, splitsCommas, timeZone, phones },
    ...{ dayOrders: rules.dayOrders(), emptyDays: rules.emptyDays(), pending: rules.pending() },
  });
}
