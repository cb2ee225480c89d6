import type { RowWriter } from '../../bulk/sheet/sheet-text.ts';
import type { Fields } from '../../client/json-object.ts';
import { type CellStyle, createCellRenderer, flattenField } from './cell.ts';
import { type Column, columnsOf } from './columns.ts';
import { createChalk, renderTextFields, type TextStyle } from './document.ts';
import { statusColor } from './field-words.ts';

export interface RecordOptions extends CellStyle, Omit<TextStyle, 'plain'> {
  /** Fields to print, in order; default: all fields of the record. */
  readonly columns?: readonly Column[];
  readonly plain?: boolean;
}

/** A record for people: one field per line. */
export function renderRecord(row: Fields, options: RecordOptions): string {
  const { columns = columnsOf(row), timeZone, currency, plain = false } = options;
  const style = { ...options, plain };
  if (plain) return createPlainWriter(options).rows([row]);
  const chalk = createChalk(style);
  const renderCell = createCellRenderer({ timeZone, currency });
  const fields = columns.flatMap((column) =>
    flattenField(row[column.key], column, { renderCell, timeZone, row }),
  );
  const painted = fields.map((field) => ({
    ...field,
    paint: statusColor(chalk, field.kind, field.lines[0]),
    paintLabel: chalk.bold,
  }));
  return renderTextFields(painted, style);
}

/**
 * Records for screen readers: `field: value` on a line each, and a blank line between records. Lines are not wrapped;
 * the time zone is printed once, before the first record.
 */
export function createPlainWriter({
  columns,
  timeZone,
  currency,
}: CellStyle & Pick<RecordOptions, 'columns'>): RowWriter {
  const renderCell = createCellRenderer({ timeZone, currency });
  let isFirst = true;

  function toBlock(row: Fields): string {
    const fields = (columns ?? columnsOf(row)).flatMap((column) =>
      flattenField(row[column.key], column, { renderCell, row }),
    );
    const hasTimes = isFirst && fields.some(({ kind }) => kind === 'instant');
    const head = hasTimes ? `Times are in ${timeZone}.\n\n` : isFirst ? '' : '\n';
    isFirst = false;
    return head + renderTextFields(fields, { width: 0, color: false, plain: true });
  }

  return { begin: () => '', rows: (rows) => rows.map(toBlock).join(''), end: () => '' };
}
