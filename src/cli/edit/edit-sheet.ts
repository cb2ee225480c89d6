import type { EditOperation } from '../../bulk/input/edit-fields.ts';
import { SalonError } from '../../contract/errors.ts';
import { findCondition } from '../flags/conditions.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { EditFlags } from './edit-options.ts';

/** Flags that a sheet replaces, those that need one, and those for many records. */
const notForSheets = [
  ...['set', 'data', 'partial', 'ignoreMissing', 'addTag', 'removeTag', 'preferredStylist'],
  ...['client', 'stylist', 'service', 'start', 'duration', 'status', 'notes', 'price'],
  ...['allowOverlap', 'allowBlocked', 'allowEarly'],
];
const sheetOnly = [
  ...['sheetFormat', 'encoding', 'sheet', 'guarded', 'match'],
  ...['map', 'mapping', 'ignoreColumns', 'splitNames', 'country', 'skipExisting', 'again'],
];
const bulkOnly = [
  ...['allowNewFields', 'planFile', 'simulate', 'faults'],
  ...['maxChanges', 'maxClears', 'maxErrors'],
];

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
  const given = Object.keys(context.flags);
  if (file === undefined) {
    const lonely = sheetOnly.find((name) => given.includes(name));
    if (lonely !== undefined) throw new SalonError('usage', `${toFlag(lonely)} needs --file <file>.`);
    assertNotBulk(context.flags, 'needs --file <file>.');
    return undefined;
  }
  const odd = notForSheets.find((name) => given.includes(name));
  if (odd !== undefined) {
    throw new SalonError('usage', `${toFlag(odd)} cannot be combined with --file.`, {
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
export function assertNotBulk(
  flags: EditFlags,
  advice = 'is for the appointments that conditions select.',
): void {
  const given = Object.keys(flags);
  const lonely = bulkOnly.find((name) => given.includes(name));
  if (lonely !== undefined) throw new SalonError('usage', `${toFlag(lonely)} ${advice}`);
}

/**
 * Whether a command works on the records that conditions select, or on all with `--all`. `names` are the flags of the
 * conditions by attribute. Throws `usage` for what cannot be combined with them.
 */
export function selectsByCondition(
  flags: EditFlags,
  names: Readonly<Record<string, string>>,
  reference: string | undefined,
): boolean {
  const condition = findCondition(flags, names);
  const selector = condition ?? (flags.all === true ? '--all' : undefined);
  if (selector === undefined) return false;
  const given = Object.keys(flags);
  const odd = ['file', ...sheetOnly, 'partial', 'ignoreMissing'].find((name) => given.includes(name));
  if (odd !== undefined) throw new SalonError('usage', `${toFlag(odd)} cannot be combined with ${selector}.`);
  if (reference !== undefined) {
    throw new SalonError('usage', `"${reference}" cannot be combined with ${selector}.`, {
      hint: 'Name one record, or the conditions for many.',
    });
  }
  if (condition !== undefined && flags.all === true) {
    throw new SalonError('usage', `--all cannot be combined with ${condition}.`, {
      hint: 'Leave out --all to change only what matches.',
    });
  }
  return true;
}

/** The reference of a command that works on one record. Throws `usage` without one. */
export function requireReference(reference: string | undefined, noun: string): string {
  if (reference !== undefined) return reference;
  throw new SalonError('usage', `No ${noun} given.`, {
    hint: `Pass a name or ID, a file with --file, or conditions. For every ${noun}, use --all.`,
  });
}

function toFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
