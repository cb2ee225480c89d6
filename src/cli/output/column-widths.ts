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
