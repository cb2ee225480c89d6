export interface Rated {
  readonly name: string;
  /** The index of the load to compare with. */
  readonly beside: number;
  /** Requests per second, by round. */
  readonly rates: readonly number[];
}

/** Renders a line per load: median, range, and the ratio to another load's median. */
export function renderRates(loads: readonly Rated[]): string {
  return loads
    .map(({ name, beside, rates }) => {
      const ratio = median(rates) / median(loads[beside]?.rates ?? []);
      const range = `${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}`;
      const figures = [name.padEnd(28), median(rates).toFixed(0).padStart(8), range.padStart(14)].join('  ');
      return `${figures}   × ${ratio.toFixed(2)} of ${loads[beside]?.name}`;
    })
    .join('\n');
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
