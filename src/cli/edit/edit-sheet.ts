import type { EditOperation } from '../../bulk/input/edit-fields.ts';
import { SalonError } from '../../contract/errors.ts';
import { allowEarlyFlag, bookingFlags, followingFlag, preferredStylistFlag } from '../flags/booking-flags.ts';
import {
  addServicesFlag,
  againFlag,
  type EditFlags,
  ignoreMissingFlag,
  matchFlag,
  peopleFlags,
  planFlags,
  sheetFlags,
  sheetFormFlags,
  skipExistingFlag,
  tagFlags,
} from '../flags/edit-flags.ts';
import type { FlagTable } from '../flags/flag.ts';
import { changeFlags, writeFlags } from '../flags/options.ts';
import { findGiven } from '../flags/selection.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';

/** Flags that a sheet replaces, those that need one, and those for many records. */
const notForSheets: FlagTable = {
  set: writeFlags.set,
  data: writeFlags.data,
  ...tagFlags,
  ...preferredStylistFlag,
  ...bookingFlags,
  ...allowEarlyFlag,
  ...ignoreMissingFlag,
  partial: changeFlags.partial,
};
const sheetOnly: FlagTable = {
  ...sheetFormFlags,
  ...matchFlag,
  ...peopleFlags,
  ...againFlag,
  ...addServicesFlag,
  ...skipExistingFlag,
};
const notForSelections: FlagTable = {
  file: sheetFlags.file,
  ...sheetOnly,
  partial: changeFlags.partial,
  ...ignoreMissingFlag,
  ...followingFlag,
};
const bulkOnly: FlagTable = { allowNewFields: sheetFlags.allowNewFields, ...planFlags };

/**
 * Applies an operation to every row of the sheet in `--file`; Returns undefined if `--file` is not given. Throws
 * `usage` for flags and IDs that cannot be combined with it.
 */
export async function editFromSheet(
  operation: Pick<EditOperation, 'noun' | 'verb'>,
  context: CommandContext<EditFlags>,
  id?: string,
): Promise<CommandResult | undefined> {
  const { file, match = 'id', force = false } = context.flags;
  if (file === undefined) {
    const lonely = findGiven(context.flags, sheetOnly);
    if (lonely !== undefined) throw new SalonError('usage', `${lonely} needs --file <file>.`);
    assertNotBulk(context.flags, 'needs --file <file>.');
    return undefined;
  }
  const { stylist: _, ...notForCalendars } = notForSheets;
  const isCalendar = operation.noun === 'appointments' && operation.verb === 'create';
  const odd = findGiven(context.flags, isCalendar ? notForCalendars : notForSheets);
  if (odd !== undefined) {
    throw new SalonError('usage', `${odd} cannot be combined with --file.`, {
      hint: 'Put the values in the file.',
    });
  }
  if (id !== undefined) {
    throw new SalonError('usage', 'An ID cannot be combined with --file.', {
      hint: 'Put the IDs in the file.',
    });
  }
  const bulk = await import('./bulk-edit.ts');
  return bulk.runSheetEdit({ ...operation, match, force }, file, context);
}

/** Throws `usage` for a flag that is for many records. */
export function assertNotBulk(flags: EditFlags, advice = 'is for a selection of appointments.'): void {
  const lonely = findGiven(flags, bulkOnly);
  if (lonely !== undefined) throw new SalonError('usage', `${lonely} ${advice}`);
}

/**
 * Whether a command works on a selection, or on all records with `--all`. Throws
 * `usage` for what cannot be combined with them.
 */
export function selectsByFlags(flags: EditFlags, table: FlagTable, reference: string | undefined): boolean {
  const given = findGiven(flags, table);
  const selector = given ?? (flags.all === true ? '--all' : undefined);
  if (selector === undefined) return false;
  const odd = findGiven(flags, notForSelections);
  if (odd !== undefined) throw new SalonError('usage', `${odd} cannot be combined with ${selector}.`);
  if (reference !== undefined) {
    throw new SalonError('usage', `"${reference}" cannot be combined with ${selector}.`, {
      hint: 'Name one record, or select many by flags.',
    });
  }
  if (given !== undefined && flags.all === true) {
    throw new SalonError('usage', `--all cannot be combined with ${given}.`, {
      hint: 'Leave out --all to change only what matches.',
    });
  }
  return true;
}

/** The reference of a command that works on one record. Throws `usage` without one. */
export function requireReference(reference: string | undefined, noun: string): string {
  if (reference !== undefined) return reference;
  throw new SalonError('usage', `No ${noun} given.`, {
    hint: `Pass a name or ID, a file with --file, or flags that select. For every ${noun}, use --all.`,
  });
}
