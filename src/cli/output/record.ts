import { Chalk } from 'chalk';
import stringWidth from 'string-width';
import type { Row } from '../../bulk/export/write-pages.ts';
import type { RowWriter } from '../../bulk/sheet/sheet-text.ts';
import { type CellStyle, createCellRenderer, flattenField } from './cell.ts';
import { type Column, columnsOf } from './columns.ts';
import { statusColor } from './field-words.ts';
import { cutEnd, wrapText } from './fit-text.ts';

interface PlainOptions extends CellStyle {
  /** Fields to print, in order; default: all fields of the record. */
  readonly columns?: readonly Column[];
}

export interface RecordOptions extends PlainOptions {
  /** Columns of the terminal; no line is wider. */
  readonly width: number;
  readonly color: boolean;
}

const gap = 2;

const link = /^https?:\/\/[!-~]{1,500}$/;

/** A record at a terminal: one aligned field per line, long text wrapped, `–` for an empty field. */
export function renderRecord(row: Row, options: RecordOptions): string {
  const { columns = columnsOf(row), width, color, timeZone, currency } = options;
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const renderCell = createCellRenderer({ timeZone, currency });
  const fields = columns.flatMap((column) =>
    flattenField(row[column.key], column, { renderCell, timeZone, row }),
  );
  const longest = Math.max(0, ...fields.map(({ label }) => stringWidth(label)));
  const labelWidth = Math.max(1, Math.min(longest, Math.floor(width / 3)));
  const room = Math.max(2, width - labelWidth - gap);
  const indent = ' '.repeat(labelWidth + gap);
  return fields
    .map(({ label, lines, kind }) => {
      const name = cutEnd(label, labelWidth);
      const head = `${chalk.bold(name)}${' '.repeat(labelWidth + gap - stringWidth(name))}`;
      if (lines.length === 0) return `${head}${chalk.dim('–')}\n`;
      const paint = statusColor(chalk, kind, lines[0]);
      // Below its label an ID or an address may have room as a whole.
      const hasRoom = lines.every((line) => link.test(line) || longestWord(line) <= room);
      const wrapped = lines
        // A link stays whole, so that it can be copied: the terminal itself wraps it.
        .flatMap((line) =>
          link.test(line) ? [line] : wrapText(line, hasRoom ? room : Math.max(2, width - 2)),
        )
        // Chalk would paint the index, too.
        .map((part) => paint(part));
      if (!hasRoom) return `${head.trimEnd()}\n  ${wrapped.join('\n  ')}\n`;
      return `${head}${wrapped.join(`\n${indent}`)}\n`;
    })
    .join('');
}

function longestWord(text: string): number {
  return text.split(' ').reduce((most, word) => Math.max(most, stringWidth(word)), 0);
}

/**
 * Records for screen readers: `field: value` on a line each, and a blank line between records. Lines are not wrapped;
 * the time zone is printed once, before the first record.
 */
export function createPlainWriter({ columns, timeZone, currency }: PlainOptions): RowWriter {
  const renderCell = createCellRenderer({ timeZone, currency });
  let isFirst = true;

  function toBlock(row: Row): string {
    const fields = (columns ?? columnsOf(row)).flatMap((column) =>
      flattenField(row[column.key], column, { renderCell, row }),
    );
    const hasTimes = isFirst && fields.some(({ kind }) => kind === 'instant');
    const head = hasTimes ? `Times are in ${timeZone}.\n\n` : isFirst ? '' : '\n';
    isFirst = false;
    const texts = fields.map(({ label, lines }) => {
      return `${label}: ${lines.length === 0 ? '(nothing)' : lines.join('\n')}\n`;
    });
    return head + texts.join('');
  }

  return { begin: () => '', rows: (rows) => rows.map(toBlock).join(''), end: () => '' };
}
