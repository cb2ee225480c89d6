import type { EditOperation } from '../../bulk/input/edit-fields.ts';
import type { Handler } from '../action-runner.ts';
import { runSheetEdit } from '../edit/bulk-edit.ts';
import type { EditFlags } from '../flags/edit-flags.ts';

interface ImportFlags extends EditFlags {
  readonly overwrite?: boolean;
}

export function importRows(noun: EditOperation['noun']): Handler<ImportFlags, [string]> {
  return (context, file) => {
    const { overwrite: overwrites = false } = context.flags;
    return runSheetEdit({ noun, verb: 'import', match: 'id', force: false, overwrites }, file, context);
  };
}
