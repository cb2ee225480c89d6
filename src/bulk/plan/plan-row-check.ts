import { isFields } from '../../client/fields.ts';
import { keyOf } from '../../client/pagination/page.ts';
import type { EditOperation } from '../input/edit-fields.ts';
import type { PlannedRow } from './planned-row.ts';

const verbsOf = { create: 'adds', update: 'changes', delete: 'deletes' } as const;

/**
 * Why a row read from a file does not belong in its plan; undefined if it does. A digest proves only that nobody edited
 * the file without calculating it again.
 */
export function findRowFault(
  { row, line, act, id, change, before }: PlannedRow,
  { verb, after }: { readonly verb: EditOperation['verb']; readonly after: number },
): string | undefined {
  if (!Number.isInteger(row) || !Number.isInteger(line) || row <= after) return 'is out of order';
  if (act === 'none' || act === 'refused') return undefined;
  if (act !== verb) {
    const does = Object.hasOwn(verbsOf, act) ? verbsOf[act] : 'does something to';
    return `${does} a record, but the plan ${verbsOf[verb]} records`;
  }
  if (act !== 'delete' && !isFields(change)) return 'has no values';
  if (act === 'create') return undefined;
  return isFields(before) && id !== null && keyOf(before) === id
    ? undefined
    : 'is for another record than it shows';
}
