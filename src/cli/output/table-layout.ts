import Table from 'cli-table3';
import stringWidth from 'string-width';
import { cutEnd, renderBar } from './fit-text.ts';

/** How a column of a table is fitted into the terminal. */
export interface TableColumn {
  readonly isRight?: boolean | undefined;
  /** Widths that its texts may be cut to, tried in turn. Without any, it is never cut. */
  readonly least?: readonly number[];
  readonly most?: number;
  /** As the last column it takes the room that is left, up to this width. */
  readonly grows?: number;
  /** A narrow table leaves out the columns with the highest rank first; those without one stay. */
  readonly rank?: number | undefined;
}

export interface TableCell {
  readonly text: string;
  /** For screen readers, if it is another text. */
  readonly spoken?: string;
  /** The part of the column that a bar fills, instead of a text. */
  readonly bar?: number;
  readonly paint?: (text: string) => string;
}

/** A cell for each column. A heading may have one more: the mark of a table in which columns are left out. */
export type TableRow = readonly TableCell[];

/** The columns that fit, with their indexes in a row. */
export type TableLayout = readonly (Pick<TableColumn, 'isRight'> & {
  readonly at: number;
  readonly width: number;
})[];

interface MeasuredColumn extends TableColumn {
  readonly at: number;
  /** Width of the longest text. */
  readonly preferred: number;
}

/** Spaces between two columns. */
const gap = 2;
const maxWidth = 400;

/** Chooses columns and widths that fit the terminal. Undefined if nothing readable fits. The heading is a row, too. */
export function fitTable(
  columns: readonly TableColumn[],
  rows: readonly TableRow[],
  width: number,
): TableLayout | undefined {
  const measured = columns.map(({ most = maxWidth, ...column }, at) => {
    return { ...column, at, preferred: Math.min(most, measureColumn(rows, at)) };
  });
  const mark = rows[0]?.[columns.length] && { at: columns.length, width: 1 };
  for (const turn of [0, 1, 2]) {
    for (const kept of leaveOutInTurn(measured)) {
      const marks = mark && kept.length < columns.length ? [mark] : [];
      const room = marks.reduce((left, one) => left - gap - one.width, width - gap * (kept.length - 1));
      const widths = shareWidth(kept, room, turn);
      if (widths === undefined) continue;
      const placed = kept.map(({ at, isRight }, index) => ({ at, isRight, width: widths[index] ?? 1 }));
      return marks.length > 0 ? [...placed, ...marks] : widenLast(placed, { ...kept.at(-1), room });
    }
  }
  return undefined;
}

/** Width of the longest text in a column. */
export function measureColumn(rows: readonly TableRow[], at: number): number {
  return rows.reduce((width, row) => {
    const { text, bar } = row[at] ?? { text: '' };
    if (bar !== undefined) return maxWidth;
    // A very long text needs no exact width.
    return Math.max(width, text.length > maxWidth * 8 ? maxWidth : stringWidth(text));
  }, 1);
}

/** All columns, then one fewer each time. */
function leaveOutInTurn(columns: readonly MeasuredColumn[]): readonly (readonly MeasuredColumn[])[] {
  const first = Math.max(...columns.map(({ rank = 0 }) => rank));
  if (first <= 0) return [columns];
  const at = columns.findLastIndex(({ rank }) => rank === first);
  return [columns, ...leaveOutInTurn(columns.toSpliced(at, 1))];
}

/** Gives each column its minimum, then the rest to the narrowest first. Undefined if there is too little room. */
function shareWidth(
  columns: readonly MeasuredColumn[],
  room: number,
  turn: number,
): readonly number[] | undefined {
  const shares = columns.map(({ least, preferred }) => {
    const width = least === undefined ? preferred : (least[turn] ?? least.at(-1) ?? preferred);
    return { preferred, width: Math.min(preferred, width) };
  });
  let left = room - shares.reduce((sum, { width }) => sum + width, 0);
  if (left < 0) return undefined;
  for (; left > 0; left -= 1) {
    const [narrowest] = shares
      .filter(({ width, preferred }) => width < preferred)
      .sort((one, other) => one.width - other.width);
    if (narrowest === undefined) break;
    narrowest.width += 1;
  }
  return shares.map(({ width }) => width);
}

function widenLast(
  placed: TableLayout,
  { room, grows = 0 }: Pick<TableColumn, 'grows'> & { readonly room: number },
): TableLayout {
  const last = placed.at(-1);
  const left = placed.reduce((rest, { width }) => rest - width, room);
  if (last === undefined || last.width >= grows) return placed;
  return placed.with(-1, { ...last, width: Math.min(grows, last.width + left) });
}

/** Texts side by side, without a heading; none is cut. */
export function alignTexts(rows: readonly (readonly string[])[]): readonly string[] {
  const cells = rows.map((row) => row.map((text) => ({ text })));
  const layout = fitTable(rows[0]?.map(() => ({})) ?? [], cells, Number.POSITIVE_INFINITY) ?? [];
  return drawRows(cells, layout).trimEnd().split('\n');
}

const noBorders = {
  ...{ top: '', 'top-left': '', 'top-mid': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-left': '', 'bottom-mid': '', 'bottom-right': '' },
  ...{ mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '', left: '', right: '' },
  middle: ' '.repeat(gap),
};
/** Latin, Greek and Cyrillic letters and punctuation: one column each in every version of Unicode. */
const oneColumnEach = /^[ -\u02ff\u0370-\u0482\u1e00-\u1eff‐-…€]*$/;
const placeholder = '\u{E000}';
const placeholders = new RegExp(`${placeholder}+`, 'g');

export function drawRows(rows: readonly TableRow[], layout: TableLayout): string {
  const table = new Table({
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colWidths: layout.map(({ width }) => width),
    colAligns: layout.map(({ isRight }) => (isRight ? 'right' : 'left')),
  });
  // Text that cli-table3 measures differently from terminals is cut here and inserted after drawing.
  const replaced: string[] = [];
  for (const row of rows) {
    table.push(
      layout.map(({ at, width }) => {
        const { text, bar, paint = (shown: string) => shown } = row[at] ?? { text: '' };
        const shown = bar === undefined ? cutEnd(text, width) : renderBar(bar * width);
        if (oneColumnEach.test(shown)) return paint(shown);
        replaced.push(shown);
        return paint(placeholder.repeat(Math.max(1, stringWidth(shown))));
      }),
    );
  }
  const texts = replaced.values();
  const lines = table.toString().replace(placeholders, () => texts.next().value ?? '');
  return lines.replace(/ *$/gm, '').concat('\n');
}
