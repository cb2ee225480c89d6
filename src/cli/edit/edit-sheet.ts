import type { Edit } from '../../bulk/edit/edit.ts';
import { SalonError } from '../../contract/errors.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { EditFlags } from './edit-options.ts';

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
  edit: Pick<Edit, 'noun' | 'verb'>,
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
