import { type GridColumn, gutter } from './grid.ts';
import { toLanes } from './lanes.ts';

/** Columns that stand side by side; those that do not fit follow below in further bands. */
export interface Bands {
  readonly bands: readonly (readonly GridColumn[])[];
  /** Of one column. */
  readonly columnWidth: number;
}

const narrowest = 15;
const widest = 36;
const narrowestLane = 4;

/**
 * Shares the terminal's width: as many columns side by side as can be read, the same number in each band. One with
 * more at the same time than can stand side by side becomes several.
 */
export function toBands(
  columns: readonly GridColumn[],
  { width, least = narrowest }: { readonly width: number; readonly least?: number | undefined },
): Bands {
  const room = Math.max(narrowestLane, width - gutter);
  const mostLanes = Math.max(1, Math.floor(Math.min(least, room) / narrowestLane));
  const parts = columns.flatMap((column) => splitColumn(column, mostLanes));
  const fitting = Math.max(1, Math.floor((room + 1) / (least + 1)));
  const perBand = Math.ceil(parts.length / Math.ceil(parts.length / fitting));
  const columnWidth = Math.min(widest, Math.floor((room + 1) / perBand) - 1);
  const bands = Array.from({ length: Math.ceil(parts.length / perBand) }, (_, index) =>
    parts.slice(index * perBand, (index + 1) * perBand),
  );
  return { bands, columnWidth };
}

function splitColumn(column: GridColumn, mostLanes: number): readonly GridColumn[] {
  const inLanes = toLanes(column.placed);
  const lanes = inLanes.reduce((most, { lane }) => Math.max(most, lane + 1), 1);
  const count = Math.ceil(lanes / mostLanes);
  if (count === 1) return [column];
  const parts = Map.groupBy(inLanes, ({ lane }) => Math.floor(lane / mostLanes));
  return Array.from({ length: count }, (_, part) => ({
    ...column,
    heading: `${part + 1}/${count} ${column.heading}`,
    placed: (parts.get(part) ?? []).map(({ item }) => item),
  }));
}
