import { Chalk } from 'chalk';
import stringWidth from 'string-width';
import { createCellRenderer, toFields } from './cell.ts';
import { type Column, columnsOf, type Printer, type Row } from './columns.ts';
import { cutEnd, wrapText } from './fit-text.ts';
import { statusColor } from './status.ts';

export interface RecordOptions {
  /** Which fields, in which order; every field of the record when left out. */
  readonly columns?: readonly Column[];
  /** Columns of the terminal; no line is wider. */
  readonly width: number;
  readonly color: boolean;
  readonly timeZone: string;
}

const gap = 2;

/** One record for people: a field a line, aligned, long text wrapped under itself, `–` for what is not there. */
export function renderRecord(row: Row, options: RecordOptions): string {
  const { columns = columnsOf(row), width, color, timeZone } = options;
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const renderCell = createCellRenderer({ timeZone });
  const fields = columns.flatMap((column) =>
    toFields(row[column.key], column, { renderCell, timeZone, row }),
  );
  const longest = Math.max(0, ...fields.map(({ label }) => stringWidth(label)));
  const labelWidth = Math.max(1, Math.min(longest, Math.floor(width / 3)));
  const room = Math.max(2, width - labelWidth - gap);
  const indent = ' '.repeat(labelWidth + gap);
  return fields
    .map(({ label, lines, kind }) => {
      const cut = cutEnd(label, labelWidth);
      const head = `${chalk.bold(cut)}${' '.repeat(labelWidth + gap - stringWidth(cut))}`;
      if (lines.length === 0) return head + chalk.dim('–');
      const paint = statusColor(chalk, kind, lines[0]);
      return (
        head + lines.flatMap((line) => wrapText(line, room).map((part) => paint(part))).join(`\n${indent}`)
      );
    })
    .map((text) => `${text}\n`)
    .join('');
}

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
