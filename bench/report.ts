import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Cost, type Exporter, runExporter } from './export-run.ts';
import { openFolder, startServer } from './start-server.ts';

// Each report beside an export of the lists that it reads, whole processes in turn. Goal: at most 1.5 times the export.
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '7' } },
});
const { rows } = values;
const rounds = Number(values.rounds);
const goal = 1.5;

using folder = openFolder();
using server = startServer('report-page-server.ts', [rows]);
const [port] = (await once(server.process, 'message')) as [number];
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: folder.path,
  SALON_BASE_URL: `http://127.0.0.1:${port}`,
  SALON_API_KEY: `slk_${'0'.repeat(36)}`,
};
const salon = `${process.execPath} ${fileURLToPath(new URL('../bin/salon.js', import.meta.url))}`;
const exportOf = (noun: string) => `${salon} ${noun} list -q -f csv`;
// The second half of the year, compared with the first: all rows.
const reportOf = (words: string) => `${salon} report ${words} --from 2025-07-04 --to 2025-12-31 -q -f csv`;

interface Pair {
  readonly of: string;
  readonly name: string;
  readonly command: string;
}
const exports = ['appointments', 'payments', 'both'] as const;
const reports: readonly Pair[] = [
  { of: 'appointments', name: 'no-shows by stylist', command: reportOf('no-shows') },
  { of: 'appointments', name: 'no-shows by day', command: reportOf('no-shows --by day') },
  { of: 'appointments', name: 'retention by stylist', command: reportOf('retention') },
  { of: 'appointments', name: 'retention by month', command: reportOf('retention --by month') },
  { of: 'payments', name: 'revenue by month', command: reportOf('revenue --by month') },
  { of: 'both', name: 'revenue by stylist', command: reportOf('revenue') },
  { of: 'both', name: 'revenue by service', command: reportOf('revenue --by service') },
];
const programs: readonly Exporter[] = [
  ...exports.map((noun) => ({
    name: noun,
    toCommand: (file: string) =>
      noun === 'both'
        ? `sh -c '${exportOf('appointments')} > ${file} && ${exportOf('payments')} > ${file}'`
        : `${exportOf(noun)} > ${file}`,
  })),
  ...reports.map(({ name, command }) => ({ name, toCommand: (file: string) => `${command} > ${file}` })),
];

const costs = new Map<string, Cost[]>(programs.map(({ name }) => [name, []]));
for (let round = -1; round < rounds; round++) {
  for (const program of programs) {
    const cost = await runExporter(program, { file: join(folder.path, 'out.csv'), env });
    if (round >= 0) costs.get(program.name)?.push(cost);
  }
}

console.log(
  `Node ${process.versions.node}, ${rows} appointments and as many payments, ${rounds} rounds in turn`,
);
console.log('Medians of whole processes');
console.log(renderLine(['', 'wall', 'peak', 'export', 'ratio']));
for (const noun of exports) console.log(renderLine([`export of ${noun}`, renderMs(noun), renderPeak(noun)]));
for (const { name, of } of reports) {
  const ratio = medianWall(name) / medianWall(of);
  const verdict = `${ratio.toFixed(2)}${ratio > goal ? ` > ${goal}` : ''}`;
  console.log(renderLine([name, renderMs(name), renderPeak(name), of, verdict]));
}

function renderLine([name = '', ...figures]: readonly string[]): string {
  return [name.padEnd(24), ...figures.map((figure) => figure.padStart(14))].join('').trimEnd();
}

function renderMs(name: string): string {
  return `${medianWall(name).toFixed(0)} ms`;
}

function renderPeak(name: string): string {
  return `${Math.max(...(costs.get(name) ?? []).map(({ peakMib }) => peakMib)).toFixed(0)} MiB`;
}

function medianWall(name: string): number {
  const sorted = (costs.get(name) ?? []).map(({ wallMs }) => wallMs).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
