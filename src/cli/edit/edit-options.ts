import { type Command, Option } from 'commander';
import type { EditOperation } from '../../bulk/input/edit-fields.ts';
import { type SheetFormat, sheetFormats } from '../../bulk/sheet/sheet-form.ts';
import { SalonError } from '../../contract/errors.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { ConsentFlags } from '../session/consent.ts';

/** Flags of a verb that can work on a whole sheet. */
export interface EditFlags extends BudgetFlags, ConsentFlags {
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

/** Flags that a whole sheet has no use for, and those that mean nothing without one. */
const ofOneRecord = ['set', 'data', 'partial', 'ignoreMissing'];
const ofSheets = [
  'sheetFormat',
  'guarded',
  'match',
  'allowNewFields',
  'plan',
  'rehearse',
  'faults',
  'maxChanges',
  'maxClears',
  'maxErrors',
];

/**
 * Carries a verb out on every row of the sheet that `--from` names; undefined without one. Throws `usage` for flags
 * and identifiers that do not go with it.
 */
export async function editSheet(
  edit: Pick<EditOperation, 'noun' | 'verb'>,
  context: CommandContext<EditFlags>,
  id?: string,
): Promise<CommandResult | undefined> {
  const { from, match = 'id', force = false } = context.flags;
  const given = Object.keys(context.flags);
  if (from === undefined) {
    const lonely = ofSheets.find((name) => given.includes(name));
    if (lonely !== undefined)
      throw new SalonError('usage', `${toFlag(lonely)} goes with --from <file> only.`);
    return undefined;
  }
  const odd = ofOneRecord.find((name) => given.includes(name));
  if (odd !== undefined)
    throw new SalonError('usage', `${toFlag(odd)} does not go with --from: the sheet says what to write.`);
  if (id !== undefined)
    throw new SalonError('usage', 'An identifier does not go with --from: the sheet names the records.');
  const { editFrom } = await import('./edit-from.ts');
  return editFrom({ ...edit, match, force }, from, context);
}

/** The identifier of a verb that works on one record. Throws `usage` where there is none. */
export function requireId(id: string | undefined, noun: string): string {
  if (id !== undefined) return id;
  throw new SalonError('usage', `Which ${noun}? An identifier is missing.`, {
    hint: 'Give one, or a sheet with --from <file>.',
  });
}

function toFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
