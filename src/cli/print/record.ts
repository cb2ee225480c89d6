import { Chalk } from 'chalk';
import stringWidth from 'string-width';
import { type CellRenderer, createCellRenderer } from './cell.ts';
import { cleanText } from './clean-text.ts';
import { type Column, columnsOf } from './columns.ts';
import { cutEnd } from './cut-text.ts';
import type { Row } from './printer.ts';
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

interface Field {
  readonly label: string;
  readonly lines: readonly string[];
  readonly kind: Column['kind'];
  readonly absent: boolean;
}

const gap = 2;

/** One record for people: a field a line, aligned, long text wrapped under itself, `–` for what is not there. */
export function renderRecord(row: Row, options: RecordOptions): string {
  const { columns = columnsOf(row), width, color, timeZone } = options;
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const renderCell = createCellRenderer({ timeZone });
  const fields = columns.flatMap((column) => toFields(row[column.key], column, { renderCell, timeZone }));
  const longest = Math.max(0, ...fields.map(({ label }) => stringWidth(label)));
  const labelWidth = Math.max(1, Math.min(longest, Math.floor(width / 3)));
  const room = Math.max(2, width - labelWidth - gap);
  const indent = ' '.repeat(labelWidth + gap);
  return fields
    .map(({ label, lines, kind, absent }) => {
      const cut = cutEnd(label, labelWidth);
      const head = `${chalk.bold(cut)}${' '.repeat(labelWidth + gap - stringWidth(cut))}`;
      const paint = absent ? chalk.dim : statusStyle(chalk, kind, lines[0]);
      return (
        head + lines.flatMap((line) => wrapText(line, room).map((part) => paint(part))).join(`\n${indent}`)
      );
    })
    .map((text) => `${text}\n`)
    .join('');
}

interface FieldContext {
  readonly renderCell: CellRenderer;
  readonly timeZone: string;
  readonly depth?: number;
}

/** A field, or one for each member of an object: `account.name`. */
function toFields(value: unknown, { key, kind }: Column, context: FieldContext): readonly Field[] {
  const { renderCell, timeZone, depth = 0 } = context;
  if (isObject(value) && depth < 3 && Object.keys(value).length > 0) {
    const inner = { ...context, depth: depth + 1 };
    return columnsOf(value).flatMap((member) =>
      toFields(value[member.key], { ...member, key: `${key}.${member.key}` }, inner),
    );
  }
  const absent = value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  const label = cleanText(key);
  if (absent) return [{ label, kind, absent, lines: ['–'] }];
  if (kind === 'text' && typeof value === 'string') {
    return [{ label, kind, absent, lines: value.split(/\r?\n/).map(cleanText) }];
  }
  const text = renderCell(value, kind);
  const zoned = kind === 'instant' && text !== value ? `${text} (${timeZone})` : text;
  return [{ label, kind, absent, lines: [zoned] }];
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
