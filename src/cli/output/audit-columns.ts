import { auditEntry } from '../../contract/audit.ts';
import { type Column, type ColumnSet, toColumns } from './columns.ts';

/** Entries of the audit log with who acted and what changed in words. */
export const auditColumns: ColumnSet = {
  all: [
    ...toColumns(auditEntry.properties).map(
      (column): Column =>
        ['before', 'after', 'details'].includes(column.key) ? { ...column, kind: 'value' } : column,
    ),
    { key: 'who', kind: 'text' },
    { key: 'changes', kind: 'text' },
  ],
  table: ['created_at', 'who', 'action', 'client_name', 'changes', 'record_id'],
  optional: ['record_id'],
  names: { client_name: 'client_id' },
};
