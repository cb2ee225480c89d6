import { Chalk } from 'chalk';
import stringWidth from 'string-width';
import { cutEnd, measureParts, wrapText } from './fit-text.ts';
import { drawRows, fitTable, type TableColumn, type TableRow } from './table-layout.ts';

export interface TextStyle {
  /** Columns of the terminal; no line is wider. Infinite for screen readers. */
  readonly width: number;
  readonly color: boolean;
  /** For screen readers: no columns, no colour, a line for each sentence or field. */
  readonly plain: boolean;
}

/** A part of a text for people; what it has is printed in this order. */
export interface TextSection {
  readonly heading?: string | undefined;
  readonly fields?: readonly TextField[] | undefined;
  /** Spaces before each field. */
  readonly indent?: number;
  readonly table?: TextTable;
  /** As printed already. */
  readonly block?: string;
  readonly text?: readonly string[];
  /** Less important than the rest. */
  readonly notes?: readonly string[];
}

export interface TextField {
  readonly label: string;
  /** Empty if there is no value. */
  readonly lines: readonly string[];
  readonly paint?: (text: string) => string;
  readonly paintLabel?: (label: string) => string;
}

export interface TextTable {
  /** Left out for a table without any. */
  readonly headings?: readonly string[];
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** Those of all tables that get columns of the same widths. */
  readonly alike?: readonly TableRow[];
}

/** Sections with a blank line in between, for a terminal or for screen readers. */
export function renderDocument(sections: readonly TextSection[], style: TextStyle): string {
  const { bold, dim } = createChalk(style);
  const toLines = (lines: readonly string[] = []) => lines.flatMap((line) => wrapText(line, style.width));
  // Values of all sections are aligned.
  const labelWidth = chooseLabelWidth(
    sections.flatMap(({ fields = [] }) => fields),
    style.width,
  );
  return sections
    .map(({ heading = '', fields = [], indent, table, block = '', text, notes }) =>
      [
        joinLines(toLines(heading === '' ? [] : [heading]).map((line) => bold(line))),
        renderTextFields(fields, { ...style, indent, labelWidth }),
        table === undefined ? '' : renderTable(table, style),
        block,
        joinLines(toLines(text)),
        joinLines(toLines(notes).map((line) => dim(line))),
      ].join(''),
    )
    .filter((text) => text !== '')
    .join('\n');
}

export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

const gap = 2;
const link = /^https?:\/\/[!-~]{1,500}$/;

/** Labels and values side by side, long values wrapped, `–` for an empty one; for screen readers `label: value`. */
export function renderTextFields(
  fields: readonly TextField[],
  style: TextStyle & { readonly indent?: number | undefined; readonly labelWidth?: number },
): string {
  const { plain, indent = 0 } = style;
  if (plain) {
    return joinLines(fields.map(({ label, lines }) => `${label}: ${lines.join('\n') || '(nothing)'}`));
  }
  const chalk = createChalk(style);
  const width = style.width - indent;
  const { labelWidth = chooseLabelWidth(fields, width) } = style;
  const room = Math.max(2, width - labelWidth - gap);
  const [margin, hanging] = [' '.repeat(indent), ' '.repeat(indent + labelWidth + gap)];
  return fields
    .map(({ label, lines, paint = (text) => text, paintLabel = (text) => text }) => {
      const name = cutEnd(label, labelWidth);
      const head = `${margin}${paintLabel(name)}${' '.repeat(labelWidth + gap - stringWidth(name))}`;
      if (lines.length === 0) return `${head}${chalk.dim('–')}\n`;
      // Below its label an ID or an address may have room as a whole.
      const hasRoom = lines.every((line) => link.test(line) || measureParts(line) <= room);
      const wrapped = lines
        // A link stays whole, so that it can be copied: the terminal itself wraps it.
        .flatMap((line) => (link.test(line) ? line : wrapText(line, hasRoom ? room : Math.max(2, width - 2))))
        .map((part) => paint(part));
      if (!hasRoom) return `${head.trimEnd()}\n${margin}  ${wrapped.join(`\n${margin}  `)}\n`;
      return `${head}${wrapped.join(`\n${hanging}`)}\n`;
    })
    .join('');
}

function chooseLabelWidth(fields: readonly TextField[], width: number): number {
  const longest = fields.reduce((most, { label }) => Math.max(most, stringWidth(label)), 1);
  return Math.max(1, Math.min(longest, Math.floor(width / 3)));
}

/** For screen readers, and where nothing readable fits, a paragraph for each row, with its first cell as the title. */
function renderTable(table: TextTable, style: TextStyle): string {
  const { headings = [], columns, rows, alike = rows } = table;
  if (style.plain) {
    const toParagraph = ([title, ...cells]: TableRow) => {
      const lines = cells.map(({ text, spoken = text }, at) => `${headings[at + 1]}: ${spoken}`);
      return joinLines([title?.text ?? '', ...lines]);
    };
    return rows.map((row) => toParagraph(row.filter(({ bar }) => bar === undefined))).join('\n');
  }
  const { bold } = createChalk(style);
  const heads = headings.length === 0 ? [] : [headings.map((text) => ({ text, paint: bold }))];
  const layout = fitTable(columns, [...heads, ...alike], style.width);
  if (layout === undefined) return renderTable(table, { ...style, plain: true });
  return drawRows([...heads, ...rows], layout);
}

/** With the colours that are wanted: none, 16 or 256. */
export function createChalk(style: Omit<TextStyle, 'width'> & { readonly hasManyColors?: boolean }) {
  const { color, plain, hasManyColors } = style;
  return new Chalk({ level: color && !plain ? (hasManyColors ? 2 : 1) : 0 });
}
