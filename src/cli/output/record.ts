import { Chalk } from 'chalk';
import stringWidth from 'string-width';
import { createCellRenderer } from './cell.ts';
import { type Column, columnsOf } from './columns.ts';
import { cutEnd } from './cut-text.ts';
import type { Row } from './printer.ts';
import { toFields } from './record-fields.ts';
import { statusStyle } from './status-style.ts';
import { wrapText } from './wrap-text.ts';

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
      const paint = statusStyle(chalk, kind, lines[0]);
      return (
        head + lines.flatMap((line) => wrapText(line, room).map((part) => paint(part))).join(`\n${indent}`)
      );
    })
    .map((text) => `${text}\n`)
    .join('');
}
