import type { Row } from '../../bulk/export/write-pages.ts';
import type { Written } from '../../client/resources/record.ts';
import type { ColumnSet } from './columns.ts';
import type { CommandResult } from './command-result.ts';

/** The record that was written, or its ID if the server has only accepted the change. */
export function toWriteResult(
  { outcome, id, record }: Written<object>,
  {
    done,
    subject,
    columns,
  }: {
    /** What was done, such as "Added client"; the subject or the ID is appended. */
    readonly done: string;
    /** What it was done to, such as "Ana Costa". */
    readonly subject?: string | undefined;
    readonly columns: ColumnSet;
  },
): CommandResult {
  if (outcome === 'accepted') {
    const message = `Accepted${id === undefined ? '' : ` as ${id}`}, but not completed yet.`;
    return { show: 'record', record: { id: id ?? null, accepted: true }, message };
  }
  const named = subject ?? id;
  const message = `${done}${named === undefined ? '' : ` ${named}`}.`;
  return { show: 'record', record: { ...(record ?? { id: id ?? null }) } as Row, columns, message };
}
