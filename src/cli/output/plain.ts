import { createCellRenderer } from './cell.ts';
import { type Column, columnsOf } from './columns.ts';
import type { Printer, Row } from './printer.ts';
import { toFields } from './record-fields.ts';

export interface PlainOptions {
  /** Which fields, in which order; every field of a record when left out. */
  readonly columns?: readonly Column[];
  /** IANA name of the zone that instants are shown in; it is said once, before the first record. */
  readonly timeZone: string;
}

/**
 * Records as a screen reader reads them out best: `field: value` on a line of its own, a blank line between two
 * records, and nothing that only the eye understands. Lines are as long as their text.
 */
export function createPlainPrinter({ columns, timeZone }: PlainOptions): Printer {
  const renderCell = createCellRenderer({ timeZone });
  let isFirst = true;

  function toBlock(row: Row): string {
    const fields = (columns ?? columnsOf(row)).flatMap((column) =>
      toFields(row[column.key], column, { renderCell, row }),
    );
    const introduction =
      isFirst && fields.some(({ kind }) => kind === 'instant') ? `Times are in ${timeZone}.\n` : '';
    const separator = isFirst && introduction === '' ? '' : '\n';
    isFirst = false;
    return introduction + separator + fields.map(renderField).join('');
  }

  return { begin: () => '', rows: (rows) => rows.map(toBlock).join(''), end: () => '' };
}

function renderField({
  label,
  lines,
}: {
  readonly label: string;
  readonly lines: readonly string[];
}): string {
  return `${label}: ${lines.length === 0 ? '(nothing)' : lines.join('\n')}\n`;
}
