import type { EditOperation } from '../../bulk/input/edit-fields.ts';
import type { Handler } from '../action-runner.ts';
import { runSheetEdit } from '../edit/bulk-edit.ts';
import type { EditFlags } from '../flags/edit-flags.ts';

export function importRows(noun: EditOperation['noun']): Handler<EditFlags, [string]> {
  return (context, file) => {
    const { overwrite: overwrites = false } = context.flags;
    return runSheetEdit({ noun, verb: 'import', match: 'id', force: false, overwrites }, file, context);
  };
}
