import { type Command, Option } from 'commander';
import type { EditOperation } from '../../bulk/input/edit-fields.ts';
import { type SheetFormat, sheetFormats } from '../../bulk/sheet/sheet-form.ts';
import { SalonError } from '../../contract/errors.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { ConfirmationFlags } from '../session/confirmation.ts';

/** Flags of a command that can edit every record a sheet names. */
export interface EditFlags extends BudgetFlags, ConfirmationFlags {
  readonly file?: string;
  readonly sheetFormat?: SheetFormat;
  readonly guarded?: boolean;
  readonly match?: string;
  readonly allowNewFields?: boolean;
  readonly planFile?: string;
  readonly simulate?: boolean;
  readonly faults?: string;
  readonly dryRun?: boolean;
  readonly exitCode?: boolean;
  readonly force?: boolean;
}

/** Limits on a bulk edit. */
export interface BudgetFlags {
  readonly maxChanges?: string;
  readonly maxClears?: string;
  readonly maxErrors?: string;
}

export function addSheetOptions(command: Command): Command {
  command
    .option('--file <file>', 'Rows of a CSV, NDJSON or JSON file; - for stdin')
    .addOption(oldName('--from <file>', 'file'))
    .addOption(
      new Option('--sheet-format <format>', 'File format, if detection is wrong').choices(sheetFormats),
    )
    .option('--guarded', "Remove the ' that --excel puts before formulas")
    .option('--no-guarded', "Keep a ' before formulas")
    .option('--allow-new-fields', 'Send columns unknown to salon and the server')
    .option('--plan-file <file>', 'Save the plan for "salon jobs apply", send nothing')
    .addOption(oldName('--plan <file>', 'planFile'));
  addSimulationOptions(command);
  return addBudgetOptions(command);
}

/** For operations on existing records. */
export function addMatchOption(command: Command): Command {
  return command.option('--match <field>', 'Find records by this field instead of id');
}

export function addSimulationOptions(command: Command): Command {
  return command
    .option('--simulate', 'Apply the changes to a local copy, send nothing')
    .addOption(oldName('--rehearse', 'simulate'))
    .option('--faults <a,b>', 'Simulate these failures, e.g. 429,503,timeout');
}

export function addBudgetOptions(command: Command): Command {
  command
    .option('--max-changes <n>', 'Refuse to change more records, e.g. 50 or 5%')
    .option('--max-clears <n>', 'Refuse to clear more fields');
  return addMaxErrorsOption(command);
}

export function addMaxErrorsOption(command: Command): Command {
  return command.option('--max-errors <n>', 'Stop a bulk edit after this many failed rows');
}

/** A hidden spelling from earlier versions that sets the flag of today. */
function oldName(flags: string, attribute: string): Option {
  return Object.assign(new Option(flags).hideHelp(), { attributeName: () => attribute });
}

/** Flags that only make sense for one record, and those that need a sheet. */
const recordOnly = ['set', 'data', 'partial', 'ignoreMissing'];
const sheetOnly = [
  'sheetFormat',
  'guarded',
  'match',
  'allowNewFields',
  'planFile',
  'simulate',
  'faults',
  'maxChanges',
  'maxClears',
  'maxErrors',
];

/**
 * Applies an operation to every row of the sheet in `--file`; undefined without one. Throws `usage` for flags
 * and IDs that cannot be combined with it.
 */
export async function editSheet(
  operation: Pick<EditOperation, 'noun' | 'verb'>,
  context: CommandContext<EditFlags>,
  id?: string,
): Promise<CommandResult | undefined> {
  const { file, match = 'id', force = false } = context.flags;
  const given = Object.keys(context.flags);
  if (file === undefined) {
    const lonely = sheetOnly.find((name) => given.includes(name));
    if (lonely !== undefined) throw new SalonError('usage', `${toFlag(lonely)} needs --file <file>.`);
    return undefined;
  }
  const odd = recordOnly.find((name) => given.includes(name));
  if (odd !== undefined) {
    throw new SalonError('usage', `${toFlag(odd)} cannot be combined with --file.`, {
      hint: 'Put the values into the sheet.',
    });
  }
  if (id !== undefined) {
    throw new SalonError('usage', 'An ID cannot be combined with --file.', {
      hint: 'Put the IDs into the sheet.',
    });
  }
  const bulk = await import('./bulk-edit.ts');
  return bulk.editSheet({ ...operation, match, force }, file, context);
}

/** The ID of a command that works on one record. Throws `usage` without one. */
export function requireId(id: string | undefined, noun: string): string {
  if (id !== undefined) return id;
  throw new SalonError('usage', `Which ${noun}? The ID is missing.`, {
    hint: 'Give an ID, or a sheet with --file <file>.',
  });
}

function toFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
