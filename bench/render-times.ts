import type { RunTime } from './measure-in-turn.ts';

interface Measured {
  readonly name: string;
  readonly limit?: number;
}

/** Renders a line per program: medians, the range, and the ratios to the medians of the first. */
export function renderTimes(programs: readonly Measured[], times: readonly (readonly RunTime[])[]): string {
  const [bare = []] = times;
  const lines = programs.map(({ name, limit }, index) => {
    const runs = times[index] ?? [];
    const walls = runs.map(({ wallMs }) => wallMs);
    const range = `${Math.min(...walls).toFixed(0)}–${Math.max(...walls).toFixed(0)}`;
    const show = (figure: keyof RunTime) => [
      `${medianOf(runs, figure).toFixed(1)} ms`,
      (medianOf(runs, figure) / medianOf(bare, figure)).toFixed(2),
    ];
    return [name, ...show('wallMs'), limit?.toString() ?? '', range, ...show('busyMs')];
  });
  const nameWidth = Math.max(...programs.map(({ name }) => name.length));
  return [['', 'wall', 'ratio', 'limit', 'min–max', 'CPU', 'ratio'], ...lines]
    .map((line) => renderLine(line, nameWidth))
    .join('\n');
}

function renderLine([name = '', ...figures]: readonly string[], nameWidth: number): string {
  return [name.padEnd(nameWidth), ...figures.map((figure) => figure.padStart(11))].join('').trimEnd();
}

function medianOf(runs: readonly RunTime[], figure: keyof RunTime): number {
  const sorted = runs.map((run) => run[figure]).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
