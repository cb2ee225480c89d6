import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Cost, type Exporter, runExporter } from './export-run.ts';
import { openFolder, startServer } from './start-server.ts';

// All appointments to CSV over loopback from the same service: salon, which reads them in one response, and a
// hand-written exporter, which reads pages. Whole processes in turn.
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '7' } },
});
const rounds = Number(values.rounds);
const wanted = { ratio: 0.6, peakMib: 130 };

using folder = openFolder();
using server = startServer('salon-service.ts', [join(folder.path, 'salon.db'), values.rows]);
const [{ port, key }] = (await once(server.process, 'message')) as [{ port: number; key: string }];
const origin = `http://127.0.0.1:${port}`;
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: folder.path,
  SALON_BASE_URL: origin,
  SALON_API_KEY: key,
};

const byHand = `${process.execPath} ${pathOf('export-by-hand.js')} ${origin}/api/v1 1`;
const salon = `${process.execPath} ${pathOf('../bin/salon.js')} appointments list -q -f csv`;
const exporters: readonly Exporter[] = [
  { name: 'by hand, pages', toCommand: (file) => `${byHand} > ${file}` },
  { name: 'salon', toCommand: (file) => `${salon} > ${file}` },
  { name: 'salon --output', toCommand: (file) => `${salon} --output ${file}` },
];
const costs: Cost[][] = exporters.map(() => []);
for (let round = -1; round < rounds; round++) {
  for (const [index, exporter] of exporters.entries()) {
    const cost = await runExporter(exporter, { file: fileOf(index), env });
    if (round >= 0) costs[index]?.push(cost);
  }
}
const [model, ...own] = exporters.map((_exporter, index) => readFileSync(fileOf(index)));
if (!own.every((bytes) => model?.equals(bytes))) throw new Error('The exporters wrote different data.');

const base = median((costs[0] ?? []).map(({ wallMs }) => wallMs));
console.log(`${values.rows} appointments to CSV, ${rounds} rounds in turn, medians of whole processes`);
console.log(`wanted: at most ${wanted.ratio} of the time by hand, at most ${wanted.peakMib} MiB`);
console.log(renderLine(['', 'wall', 'min–max', 'ratio', 'processor', 'peak']));
for (const [index, { name }] of exporters.entries()) {
  const runs = costs[index] ?? [];
  const walls = runs.map(({ wallMs }) => wallMs);
  console.log(
    renderLine([
      name,
      `${median(walls).toFixed(0)} ms`,
      `${Math.min(...walls).toFixed(0)}–${Math.max(...walls).toFixed(0)}`,
      (median(walls) / base).toFixed(2),
      `${median(runs.map(({ busyMs }) => busyMs)).toFixed(0)} ms`,
      `${Math.max(...runs.map(({ peakMib }) => peakMib)).toFixed(0)} MiB`,
    ]),
  );
}

function renderLine([name = '', ...figures]: readonly string[]): string {
  return [name.padEnd(20), ...figures.map((figure) => figure.padStart(13))].join('').trimEnd();
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function fileOf(index: number): string {
  return join(folder.path, `${index}.csv`);
}

function pathOf(program: string): string {
  return fileURLToPath(new URL(program, import.meta.url));
}
