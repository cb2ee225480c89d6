import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** A program that exports a list. */
export interface Exporter {
  readonly name: string;
  /** The shell command that exports to a file. */
  toCommand(file: string): string;
  /** Whether it may write something else than the first. */
  readonly mayDiffer?: boolean;
}

/** The cost of one whole process. */
export interface Cost {
  readonly wallMs: number;
  /** CPU time of all cores. */
  readonly busyMs: number;
  readonly peakMib: number;
}

interface Runs {
  readonly rounds: number;
  /** Where they write. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs exporters in turn and renders the medians of each. Throws if one fails or writes other data than the first. */
export async function compareExporters(exporters: readonly Exporter[], runs: Runs): Promise<string> {
  const { rounds, folder, env } = runs;
  const fileOf = (index: number) => join(folder, `${index}.csv`);
  const costs: Cost[][] = exporters.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (const [index, exporter] of exporters.entries()) {
      const cost = await runExporter(exporter, { file: fileOf(index), env });
      if (round >= 0) costs[index]?.push(cost);
    }
  }
  const model = readFileSync(fileOf(0));
  for (const [index, { name, mayDiffer }] of exporters.entries())
    if (!mayDiffer && !model.equals(readFileSync(fileOf(index))))
      throw new Error(`${name} wrote other data.`);
  return renderCosts(exporters, costs);
}

function renderCosts(exporters: readonly Exporter[], costs: readonly (readonly Cost[])[]): string {
  const [model = []] = costs;
  const lines = exporters.map(({ name }, index) => {
    const own = costs[index] ?? [];
    const walls = own.map(({ wallMs }) => wallMs);
    const show = (figure: 'wallMs' | 'busyMs') => [
      `${medianOf(own, figure).toFixed(0)} ms`,
      (medianOf(own, figure) / medianOf(model, figure)).toFixed(2),
    ];
    const range = `${Math.min(...walls).toFixed(0)}–${Math.max(...walls).toFixed(0)}`;
    return [name, ...show('wallMs'), range, ...show('busyMs'), `${medianOf(own, 'peakMib').toFixed(0)} MiB`];
  });
  return [['', 'wall', 'ratio', 'min–max', 'CPU', 'ratio', 'peak'], ...lines].map(renderLine).join('\n');
}

function renderLine([name = '', ...figures]: readonly string[]): string {
  return [name.padEnd(18), ...figures.map((figure) => figure.padStart(12))].join('').trimEnd();
}

function medianOf(costs: readonly Cost[], figure: keyof Cost): number {
  const sorted = costs.map((cost) => cost[figure]).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** User and system seconds and peak KiB, as GNU time prints them for any program. */
const told = /^([\d.]+) ([\d.]+) (\d+)\n$/m;

/** Runs an exporter and returns its cost. Throws if it fails or GNU time is missing. */
export async function runExporter(
  { name, toCommand }: Exporter,
  { file, env }: { readonly file: string; readonly env: Readonly<Record<string, string>> },
): Promise<Cost> {
  const args = ['-f', '%U %S %M', 'sh', '-c', `exec ${toCommand(file)}`];
  const startedAt = performance.now();
  const child = spawn('time', args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  const wallMs = performance.now() - startedAt;
  const [, user, system, peakKib] = told.exec(said) ?? [];
  if (code !== 0 || peakKib === undefined) throw new Error(`${name} ended with ${code}: ${said.trim()}`);
  return { wallMs, busyMs: (Number(user) + Number(system)) * 1000, peakMib: Number(peakKib) / 1024 };
}

/** The command line of a program beside this file. */
export function toProgram(program: string, ...args: readonly (string | number)[]): string {
  return [process.execPath, fileURLToPath(new URL(program, import.meta.url)), ...args].join(' ');
}
