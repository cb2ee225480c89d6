import { auditEntry } from '../../contract/audit.ts';
import { type Column, type ColumnKind, type ColumnSet, toColumns } from './columns.ts';

/** How fields are printed for people, where their schema does not say it. */
const kinds: Readonly<Record<string, ColumnKind>> = {
  action: 'action',
  before: 'value',
  after: 'value',
  details: 'value',
  changes: 'changes',
};

/** Entries of the audit log with who acted, on which record, and what changed in words. */
export const auditColumns: ColumnSet = {
  all: [
    ...toColumns(auditEntry.properties),
    ...['who', 'record', 'changes'].map((key): Column => ({ key, kind: 'text' })),
  ].map((column) => ({
    ...{ ...column, kind: kinds[column.key] ?? column.kind },
    ...(column.key === 'created_at' ? { heading: 'Time' } : {}),
  })),
  table: ['created_at', 'who', 'action', 'record', 'changes'],
  names: { client_name: 'client_id' },
};
