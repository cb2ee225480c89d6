import { type Command, Option } from 'commander';
import { type NameSplit, nameSplits } from '../../bulk/input/person-names.ts';
import { type Encoding, encodings, type SheetFormat, sheetFormats } from '../../bulk/sheet/sheet-form.ts';
import { collect, joinLists } from '../flags/options.ts';
import type { ConfirmationFlags } from '../session/confirmation.ts';

/** Flags of a command that can edit every record a sheet names. */
export interface EditFlags extends BudgetFlags, ConfirmationFlags {
  readonly file?: string;
  readonly sheetFormat?: SheetFormat;
  readonly encoding?: Encoding;
  readonly sheet?: string;
  readonly guarded?: boolean;
  readonly match?: string;
  readonly map?: readonly string[];
  readonly mapping?: string;
  readonly ignoreColumns?: boolean;
  readonly splitNames?: NameSplit;
  /** ISO 3166 code, of phones without a country code. */
  readonly country?: string;
  readonly skipExisting?: boolean;
  readonly allowDuplicate?: boolean;
  readonly allowNewFields?: boolean;
  readonly planFile?: string;
  /** The fingerprint of the plan that was reviewed. */
  readonly expect?: string;
  readonly again?: boolean;
  readonly simulate?: boolean;
  readonly faults?: string;
  readonly dryRun?: boolean;
  readonly exitCode?: boolean;
  readonly force?: boolean;
  /** Every record. */
  readonly all?: boolean;
  readonly addTag?: readonly string[];
  readonly removeTag?: readonly string[];
}

export interface UndoFlags extends EditFlags {
  readonly allowBlocked?: boolean;
}

/** Limits on a bulk edit. */
export interface BudgetFlags {
  readonly maxChanges?: string;
  readonly maxClears?: string;
  readonly maxErrors?: string;
}

export function addSheetOptions(command: Command, { adds = false } = {}): Command {
  command
    .option('--file <file>', 'CSV, XLSX, NDJSON or JSON file; - for stdin')
    .addOption(new Option('--sheet-format <format>', 'File format').choices(sheetFormats))
    .addOption(new Option('--encoding <name>', 'Encoding of a text file').choices(encodings))
    .option('--sheet <name>', 'Worksheet of an .xlsx file; the first by default')
    .option('--map <column=field>', 'What a column has, "heading=field"; repeatable', collect)
    .option('--mapping <name>', 'Remember --map by this name, or use what it remembers')
    .option('--ignore-columns', 'Leave out columns that are not recognised')
    .option('--guarded', "Remove the ' that --excel puts before cells")
    .option('--no-guarded', "Keep a ' at the start of cells")
    .option('--allow-new-fields', 'Send unknown columns as new fields');
  if (adds) command.option('--again', 'Add a file that a job has added once more');
  return addPlanOptions(command);
}

/** For client lists of other programs; `isHidden` where the help has no room for them. */
export function addPeopleOptions(command: Command, { isHidden = false } = {}): Command {
  const option = new Option('--split-names <how>', 'Where last names start').choices(nameSplits);
  return addCountryOption(command.addOption(option.hideHelp(isHidden)), { isHidden });
}

export function addCountryOption(command: Command, { isHidden = false } = {}): Command {
  const text = "Country of phones without its code, e.g. DE (default: the salon's)";
  return command.addOption(new Option('--country <code>', text).hideHelp(isHidden));
}

/** For commands that plan before they change many records. */
export function addPlanOptions(command: Command): Command {
  return addApplyOptions(
    command.option('--plan-file <file>', 'Save the plan for "salon jobs apply"; send nothing'),
  );
}

/** For operations on the clients that conditions select. */
export function addAllOption(command: Command): Command {
  return command.optionsGroup('Conditions:').option('--all', 'Every client').optionsGroup('');
}

export function addTagOptions(command: Command): Command {
  return command
    .option('--add-tag <tag>', 'Add a tag, keep the others; repeatable', collect)
    .option('--remove-tag <tag>', 'Remove a tag, keep the others; repeatable', collect);
}

/** For operations on existing records. */
export function addMatchOption(command: Command): Command {
  return command.option('--match <field>', 'Match records by this field instead of id');
}

/** For commands that apply a plan. */
export function addApplyOptions(command: Command): Command {
  command
    .option('--simulate', 'Apply the changes to a local copy; send nothing')
    .option('--faults <a,b>', 'Simulate these failures, e.g. 429,503,timeout', joinLists);
  return addBudgetOptions(command);
}

export function addBudgetOptions(command: Command): Command {
  command
    .option('--max-changes <n>', 'Abort if more records would change, e.g. 50 or 5%')
    .option('--max-clears <n>', 'Abort if more fields would be cleared');
  return addMaxErrorsOption(command);
}

export function addMaxErrorsOption(command: Command): Command {
  return command.option('--max-errors <n>', 'Stop after this many failed rows');
}
