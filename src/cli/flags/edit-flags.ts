import { type NameSplit, nameSplits } from '../../bulk/input/person-names.ts';
import { encodings, sheetFormats } from '../../bulk/sheet/sheet-form.ts';
import { overlapFlags } from './booking-flags.ts';
import type { FlagTable, FlagValues } from './flag.ts';
import { changeFlags, confirmationFlags, writeFlags } from './options.ts';
import { parseCount, parseFailures } from './values.ts';

/** Limits on a bulk edit. */
export const budgetFlags = {
  maxChanges: { flag: '--max-changes <n>', help: 'Abort if more records would change, e.g. 50 or 5%' },
  maxClears: {
    flag: '--max-clears <n>',
    help: 'Abort if more fields would be cleared',
    isAdvanced: true,
  },
  maxErrors: {
    flag: '--max-errors <n>',
    help: 'Stop after this many failed rows',
    parse: parseCount,
    isAdvanced: true,
  },
} as const satisfies FlagTable;

export type BudgetFlags = FlagValues<typeof budgetFlags>;

/** For commands that apply a plan. */
export const applyFlags = {
  simulate: {
    flag: '--simulate',
    help: 'Apply the changes to a local copy; send nothing',
    isAdvanced: true,
  },
  faults: {
    flag: '--faults <a,b>',
    help: 'Simulate these failures, e.g. 429,503,timeout',
    parse: parseFailures,
    isAdvanced: true,
  },
  ...budgetFlags,
} as const satisfies FlagTable;

/** For commands that plan before they change many records. */
export const planFlags = {
  planFile: {
    flag: '--plan-file <file>',
    help: 'Save the plan for "salon jobs apply"; send nothing',
    isAdvanced: true,
  },
  ...applyFlags,
} as const satisfies FlagTable;

/** How the sheet of a bulk edit is read. */
export const sheetFormFlags = {
  sheetFormat: {
    flag: '--sheet-format <format>',
    help: 'File format',
    choices: sheetFormats,
    isAdvanced: true,
  },
  encoding: {
    flag: '--encoding <name>',
    help: 'Encoding of a text file',
    choices: encodings,
    isAdvanced: true,
  },
  sheet: {
    flag: '--sheet <name>',
    help: 'Worksheet or table; by default the one with people',
    isAdvanced: true,
  },
  map: {
    type: 'list',
    flag: '--map <column=field>',
    help: 'What a column has, "heading=field"; repeatable',
  },
  mapping: {
    flag: '--mapping <name>',
    help: 'Remember --map by this name, or use what it remembers',
    isAdvanced: true,
  },
  ignoreColumns: {
    flag: '--ignore-columns',
    help: 'Leave out columns that are not recognised',
    isAdvanced: true,
  },
  guarded: {
    flag: '--guarded',
    help: "Remove the ' that --excel puts before cells",
    conflicts: 'noGuarded',
    isAdvanced: true,
  },
  noGuarded: { flag: '--no-guarded', help: "Keep a ' at the start of cells", isAdvanced: true },
} as const satisfies FlagTable;

/** For commands that edit every record that a sheet names. */
export const sheetFlags = {
  file: { flag: '--file <file>', help: 'CSV, XLSX, ODS, HTML, .vcf or .ics; - for stdin' },
  ...sheetFormFlags,
  allowNewFields: {
    flag: '--allow-new-fields',
    help: 'Send unknown columns as new fields',
    isAdvanced: true,
  },
  ...planFlags,
} as const satisfies FlagTable;

/** For imports of a file. */
export const importFlags = {
  overwrite: { flag: '--overwrite', help: 'Replace values of known records; never clears' },
  yesLikely: { flag: '--yes-likely', help: 'Import what is likely but not certain without asking' },
  dryRun: writeFlags.dryRun,
  exitCode: changeFlags.exitCode,
  ...sheetFormFlags,
  allowNewFields: sheetFlags.allowNewFields,
  ...planFlags,
} as const satisfies FlagTable;

/** For sheets whose rows are added. */
export const againFlag = {
  again: { flag: '--again', help: 'Add a file that a job has added once more' },
} as const satisfies FlagTable;

/** For sheets of new appointments. */
export const addServicesFlag = {
  addServices: { flag: '--add-services', help: 'Add the services of a file that the salon does not list' },
} as const satisfies FlagTable;

/** For operations on existing records. */
export const matchFlag = {
  match: { flag: '--match <field>', help: 'Match records by this field instead of id', isAdvanced: true },
} as const satisfies FlagTable;

export const countryFlag = {
  country: {
    flag: '--country <code>',
    help: "Country of phones without its code, e.g. DE (default: the salon's)",
  },
} as const satisfies FlagTable;

/** For client lists of other programs. */
export const peopleFlags = {
  splitNames: {
    flag: '--split-names <how>',
    help: 'Where last names start',
    choices: nameSplits as readonly NameSplit[],
  },
  keepPhones: { flag: '--keep-phones', help: 'Put the phones that are not taken into the notes' },
  ...countryFlag,
} as const satisfies FlagTable;

export const skipExistingFlag = {
  skipExisting: {
    flag: '--skip-existing',
    help: 'Leave out clients who exist or are repeated',
    conflicts: 'allowDuplicate',
  },
} as const satisfies FlagTable;

export const ignoreMissingFlag = {
  ignoreMissing: { flag: '--ignore-missing', help: 'Succeed if the client does not exist' },
} as const satisfies FlagTable;

export const tagFlags = {
  addTag: { type: 'list', flag: '--add-tag <tag>', help: 'Add a tag, keep the others; repeatable' },
  removeTag: {
    type: 'list',
    flag: '--remove-tag <tag>',
    help: 'Remove a tag, keep the others; repeatable',
  },
} as const satisfies FlagTable;

/** For commands that undo a bulk edit. */
export const undoFlags = {
  dryRun: { ...writeFlags.dryRun, help: 'Show what would be restored; send nothing' },
  allowBlocked: {
    ...overlapFlags.allowBlocked,
    help: 'Restore appointments even if the stylist is away',
  },
  ...budgetFlags,
  ...confirmationFlags,
} as const satisfies FlagTable;

export type UndoFlags = FlagValues<typeof undoFlags>;

/** What a command that edits many records may read; each has some of them. */
export type EditFlags = Partial<
  FlagValues<
    typeof sheetFlags &
      typeof againFlag &
      typeof addServicesFlag &
      typeof matchFlag &
      typeof peopleFlags &
      typeof skipExistingFlag &
      typeof importFlags &
      typeof tagFlags &
      typeof changeFlags &
      typeof confirmationFlags
  >
> & {
  readonly allowDuplicate?: boolean;
  /** Whose calendar a file is. */
  readonly stylist?: string;
  /** The fingerprint of the plan that was reviewed. */
  readonly expect?: string;
  readonly force?: boolean;
  /** Every record. */
  readonly all?: boolean;
};
