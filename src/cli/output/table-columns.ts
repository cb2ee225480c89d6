import stringWidth from 'string-width';
import type { Column, ColumnKind } from './columns.ts';

/** A column with its width in a table. */
export interface TableColumn extends Pick<Column, 'key' | 'kind'> {
  readonly width: number;
}

/** Spaces between two columns. */
export const gap = 2;

/** The last column if others were left out. */
export const moreColumn: TableColumn = { key: '…', kind: 'text', width: 1 };

interface MeasuredColumn extends Column {
  /** Width of the longest text. */
  readonly preferred: number;
}

interface WidthRange {
  readonly preferred: number;
  readonly min: number;
}

// Half a date is useless; a long name is still readable when cut.
const neverCut: ReadonlySet<ColumnKind> = new Set([
  ...(['instant', 'day', 'integer', 'minutes', 'amount', 'boolean', 'activity', 'status', 'action'] as const),
]);
const maxWidth = 400;
const maxUncutWidth = 24;

/** Minimum widths, tried in turn. IDs are never cut: a part of one is of no use. */
const minimums = [
  { address: 24, text: 16 },
  { address: 24, text: 12 },
  { address: 10, text: 6 },
] as const;

/** Whether a column holds IDs. */
export function isIdColumn(key: string): boolean {
  return key === 'id' || key.endsWith('_id');
}

/**
 * Chooses columns and widths that fit the terminal, leaving out optional columns if necessary. `texts` holds the
 * heading and the first rows of each column. Undefined if nothing readable fits.
 */
export function fitColumns({
  columns,
  texts,
  width,
}: {
  readonly columns: readonly Column[];
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly width: number;
}): readonly TableColumn[] | undefined {
  const measured = columns.map((column) => ({ ...column, preferred: measure(texts.get(column.key) ?? []) }));
  for (const minimum of minimums) {
    for (const kept of dropOptional(measured)) {
      const isShortened = kept.length < columns.length;
      const room = width - gap * (kept.length - 1) - (isShortened ? gap + moreColumn.width : 0);
      const ranges = kept.map((column) => ({ preferred: column.preferred, min: minWidth(column, minimum) }));
      const widths = shareWidth(ranges, room);
      if (widths === undefined) continue;
      const fitted = kept.map(({ key, kind }, index) => ({ key, kind, width: widths[index] ?? 1 }));
      return isShortened ? [...fitted, moreColumn] : widenLast(fitted, room);
    }
  }
  return undefined;
}

/** All columns, then one optional column fewer each time, from the right. */
function dropOptional(columns: readonly MeasuredColumn[]): readonly (readonly MeasuredColumn[])[] {
  const last = columns.findLastIndex(({ optional }) => optional);
  return last === -1 ? [columns] : [columns, ...dropOptional(columns.toSpliced(last, 1))];
}

function minWidth({ key, kind, preferred }: MeasuredColumn, minimum: (typeof minimums)[number]): number {
  if (neverCut.has(kind)) return Math.min(preferred, maxUncutWidth);
  if (kind === 'address') return Math.min(preferred, minimum.address);
  return isIdColumn(key) ? preferred : Math.min(preferred, minimum.text);
}

/** Gives each column its minimum, then the rest to the narrowest first. Undefined if there is too little room. */
function shareWidth(ranges: readonly WidthRange[], room: number): readonly number[] | undefined {
  const widths = ranges.map(({ min }) => min);
  let left = room - widths.reduce((sum, width) => sum + width, 0);
  if (left < 0) return undefined;
  while (left > 0) {
    let narrowest: number | undefined;
    for (const [index, { preferred }] of ranges.entries()) {
      const width = widths[index] ?? 0;
      if (width < preferred && (narrowest === undefined || width < (widths[narrowest] ?? 0)))
        narrowest = index;
    }
    if (narrowest === undefined) break;
    widths[narrowest] = (widths[narrowest] ?? 0) + 1;
    left -= 1;
  }
  return widths;
}

/** Later pages may have longer texts; a last text column takes the room that is left. */
function widenLast(columns: readonly TableColumn[], room: number): readonly TableColumn[] {
  const last = columns.at(-1);
  const left = room - columns.reduce((sum, { width }) => sum + width, 0);
  if (last === undefined || !['text', 'changes'].includes(last.kind) || !Number.isFinite(left))
    return columns;
  return columns.with(-1, { ...last, width: last.width + left });
}

function measure(texts: readonly string[]): number {
  let width = 1;
  for (const text of texts) {
    // A very long text needs no exact width.
    if (width < maxWidth) width = Math.max(width, text.length > maxWidth * 8 ? maxWidth : stringWidth(text));
  }
  return Math.min(maxWidth, width);
}
