import { type Command, Option } from 'commander';
import { type SheetFormat, sheetFormats } from '../../bulk/input/sheet-form.ts';
import type { ConfirmationFlags } from '../session/confirmation.ts';

/** Flags of a verb that can work on a whole sheet. */
export interface EditFlags extends BudgetFlags, ConfirmationFlags {
  readonly from?: string;
  readonly sheetFormat?: SheetFormat;
  readonly guarded?: boolean;
  readonly match?: string;
  readonly allowNewFields?: boolean;
  readonly plan?: string;
  readonly rehearse?: boolean;
  readonly faults?: string;
  readonly dryRun?: boolean;
  readonly exitCode?: boolean;
  readonly force?: boolean;
}

/** How much may be changed, and how much may go wrong. */
export interface BudgetFlags {
  readonly maxChanges?: string;
  readonly maxClears?: string;
  readonly maxErrors?: string;
}

/** What every verb takes that works on a sheet. */
export function addSheetOptions(command: Command): Command {
  command
    .option('--from <file>', 'do it for every row of a sheet: CSV, NDJSON or JSON; - for standard input')
    .addOption(
      new Option(
        '--sheet-format <format>',
        'with --from: how the sheet is written, not what it looks like',
      ).choices(sheetFormats),
    )
    .option('--guarded', "with --from: take off the ' that an --excel export put before formulas")
    .option('--no-guarded', "with --from: a ' before a formula belongs to the text")
    .option('--allow-new-fields', 'with --from: send columns that neither salon nor the server knows')
    .option('--plan <file>', 'with --from: write the plan there, send nothing; see "salon jobs apply"')
    .option('--rehearse', 'with --from: carry the plan out on a copy in an embedded service, send nothing')
    .option('--faults <a,b>', 'with --rehearse: let this go wrong now and then, such as 429,503,timeout');
  return addBudgetOptions(command).addHelpText('after', sheetNotes);
}

const sheetNotes = `
Sheets:
  In a CSV a blank cell leaves a field alone, and \\N empties it.
  All rows are checked and shown before anything is sent.
  What was done can be looked at, gone on with and taken back: salon jobs --help`;

/** For verbs whose rows name records that are there. */
export function addMatchOption(command: Command): Command {
  return command.option('--match <field>', 'with --from: find the records by this field instead of id');
}

export function addBudgetOptions(command: Command): Command {
  command
    .option('--max-changes <n>', 'refuse a plan that changes more records: 50, or 5%')
    .option('--max-clears <n>', 'refuse a plan that empties more fields');
  return addMaxErrorsOption(command);
}

export function addMaxErrorsOption(command: Command): Command {
  return command.option('--max-errors <n>', 'bulk edits: stop once so many rows have failed');
}
