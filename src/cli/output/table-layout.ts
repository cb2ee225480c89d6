import stringWidth from 'string-width';
import type { Column, ColumnKind } from './columns.ts';

/** A column that has its place in a table. */
export interface DrawnColumn extends Pick<Column, 'key' | 'kind'> {
  readonly width: number;
}

export interface LayoutFacts {
  readonly columns: readonly Column[];
  /** What each column holds, heading and first rows, by its key. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** Columns of the terminal. */
  readonly width: number;
}

/** Spaces between two columns. */
export const gap = 2;

/** Stands at the right edge for the columns left out. */
export const moreColumn: DrawnColumn = { key: '…', kind: 'text', width: 1 };

// Nobody can read half a date; a long name is still a name when its end is missing.
const neverCut: ReadonlySet<ColumnKind> = new Set([
  'instant',
  'day',
  'integer',
  'minutes',
  'amount',
  'boolean',
  'activity',
  'status',
]);
const widest = 400;
const widestUncut = 24;

/**
 * How far identifiers, addresses and texts may be squeezed: the whole identifier while that is possible, so that it
 * can be copied, and more than its host of an address.
 */
const squeezes = [
  { identifier: 64, address: 24, text: 16 },
  { identifier: 16, address: 24, text: 16 },
  { identifier: 10, address: 10, text: 6 },
] as const;

/** The most generous layout that fits, by leaving out optional columns where it must; undefined when nothing readable does. */
export function settleLayout({ columns, texts, width }: LayoutFacts): readonly DrawnColumn[] | undefined {
  const choices = shorterChoices(
    columns.map((column) => ({ ...column, wanted: widthOf(texts.get(column.key) ?? []) })),
  );
  for (const squeeze of squeezes) {
    for (const kept of choices) {
      const shortened = kept.length < columns.length;
      const room = width - gap * (kept.length - 1) - (shortened ? gap + moreColumn.width : 0);
      const widths = shareWidth(
        kept.map((column) => toNeed(column, squeeze)),
        room,
      );
      if (widths === undefined) continue;
      const drawn = kept.map(({ key, kind }, index) => ({ key, kind, width: widths[index] ?? 1 }));
      return shortened ? [...drawn, moreColumn] : widenLast(drawn, room);
    }
  }
  return undefined;
}

interface MeasuredColumn extends Column {
  readonly wanted: number;
}

/** All columns, then without the last optional one, without the last two, and so on. */
function shorterChoices(columns: readonly MeasuredColumn[]): readonly (readonly MeasuredColumn[])[] {
  const last = columns.findLastIndex(({ optional }) => optional);
  return last === -1 ? [columns] : [columns, ...shorterChoices(columns.toSpliced(last, 1))];
}

function toNeed({ key, kind, wanted }: MeasuredColumn, squeeze: (typeof squeezes)[number]): ColumnNeed {
  return { wanted, least: Math.min(wanted, mostOf()) };

  function mostOf(): number {
    if (neverCut.has(kind)) return widestUncut;
    if (kind === 'address') return squeeze.address;
    return key === 'id' ? squeeze.identifier : squeeze.text;
  }
}

/** Later pages may hold longer texts than the first; the last column can take them without harm to the others. */
function widenLast(columns: readonly DrawnColumn[], room: number): readonly DrawnColumn[] {
  const last = columns.at(-1);
  const left = room - columns.reduce((sum, { width }) => sum + width, 0);
  if (last === undefined || last.kind !== 'text' || !Number.isFinite(left)) return columns;
  return columns.with(-1, { ...last, width: last.width + left });
}

function widthOf(texts: readonly string[]): number {
  return texts.reduce(
    (most, text) => (most < widest ? Math.max(most, Math.min(widest, textWidth(text))) : most),
    1,
  );
}

/** Long notes need no exact measure: they want more than there is. */
function textWidth(text: string): number {
  return text.length > widest * 8 ? widest : stringWidth(text);
}

/** How much room a column would like, and how little it can live with. */
export interface ColumnNeed {
  readonly wanted: number;
  readonly least: number;
}

/**
 * Shares `room` columns of a terminal. Everybody gets at least their least; what is left goes to the modest
 * first, so that one long column does not starve ten short ones. Undefined when not even the least fits.
 */
export function shareWidth(needs: readonly ColumnNeed[], room: number): readonly number[] | undefined {
  const widths = needs.map(({ wanted, least }) => Math.min(wanted, least));
  let left = room - widths.reduce((sum, width) => sum + width, 0);
  if (left < 0) return undefined;
  // One column of the terminal at a time, to the narrowest that still wants more.
  while (left > 0) {
    let narrowest: number | undefined;
    for (const [index, { wanted }] of needs.entries()) {
      const width = widths[index] ?? 0;
      if (width < wanted && (narrowest === undefined || width < (widths[narrowest] ?? 0))) narrowest = index;
    }
    if (narrowest === undefined) break;
    widths[narrowest] = (widths[narrowest] ?? 0) + 1;
    left -= 1;
  }
  return widths;
}
