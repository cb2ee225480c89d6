import type { EditOperation } from '../../bulk/input/edit-fields.ts';
import { SalonError } from '../../contract/errors.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { EditFlags } from './edit-options.ts';

/** Flags that only make sense for one record, and those that need a sheet. */
const recordOnly = ['set', 'data', 'partial', 'ignoreMissing', 'preferredStylist'];
const sheetOnly = [
  'sheetFormat',
  'sheet',
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
 * Applies an operation to every row of the sheet in `--file`; Returns undefined if `--file` is not given. Throws `usage` for flags
 * and IDs that cannot be combined with it.
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
    return undefined;
  }
  const odd = recordOnly.find((name) => given.includes(name));
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

/** The ID of a command that works on one record. Throws `usage` without one. */
export function requireId(id: string | undefined, noun: string): string {
  if (id !== undefined) return id;
  throw new SalonError('usage', `No ${noun} ID given.`, {
    hint: 'Pass an ID, or a file with --file <file>.',
  });
}

function toFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
