interface Measured {
  readonly name: string;
  readonly limit?: number;
}

/** Renders a line per program: median, range, and the ratio to the first program's median. */
export function renderTimes(programs: readonly Measured[], timesMs: readonly (readonly number[])[]): string {
  const bare = median(timesMs[0] ?? []);
  const lines = programs.map(({ name, limit }, index) => {
    const times = timesMs[index] ?? [];
    const middle = median(times);
    const range = `${Math.min(...times).toFixed(1)}–${Math.max(...times).toFixed(1)}`;
    return [name, `${middle.toFixed(1)} ms`, range, (middle / bare).toFixed(2), limit?.toString() ?? ''];
  });
  const nameWidth = Math.max(...programs.map(({ name }) => name.length));
  return [['', 'median', 'min–max', 'ratio', 'limit'], ...lines]
    .map((line) => renderLine(line, nameWidth))
    .join('\n');
}

function renderLine([name = '', ...figures]: readonly string[], nameWidth: number): string {
  return [name.padEnd(nameWidth), ...figures.map((figure) => figure.padStart(14))].join('').trimEnd();
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const half = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return (low + high) / 2;
}
