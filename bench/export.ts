import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Cost, type Exporter, runExporter } from './export-run.ts';
import { openFolder, startServer } from './start-server.ts';

// A whole list to CSV over loopback: salon and a hand-written exporter, whole processes in turn. Add other tools with
// 'name=command', where {base} is the URL of the API's prefix and {file} the output file.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '7' },
    delay: { type: 'string', default: '0' },
    concurrency: { type: 'string' },
  },
});
const { rows, delay, concurrency } = values;
const rounds = Number(values.rounds);
const node = process.execPath;

using folder = openFolder();
using server = startServer('export-page-server.ts', [rows, delay]);
const [port] = (await once(server.process, 'message')) as [number];
const origin = `http://127.0.0.1:${port}`;
const base = `${origin}/api/v1`;
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: folder.path,
  SALON_BASE_URL: origin,
  SALON_API_KEY: `slk_${'0'.repeat(36)}`,
};

const byHand = `${node} ${pathOf('export-by-hand.js')} ${base} ${concurrency ?? 1}`;
const salon = `${node} ${pathOf('../bin/salon.js')} appointments list -q -f csv${concurrency === undefined ? '' : ` --concurrency ${concurrency}`}`;
const exporters: readonly Exporter[] = [
  { name: 'by hand', toCommand: (file) => `${byHand} > ${file}` },
  { name: 'salon', toCommand: (file) => `${salon} > ${file}` },
  { name: 'salon --output', toCommand: (file) => `${salon} --output ${file}` },
];
const others = positionals.map(parseExporter);

const runs: { costs: Cost[]; requests: number }[] = [...exporters, ...others].map(() => ({
  costs: [],
  requests: 0,
}));
for (let round = -1; round < rounds; round++) {
  for (const [index, exporter] of [...exporters, ...others].entries()) {
    const cost = await runExporter(exporter, { file: fileOf(index), env });
    const run = runs[index];
    if (run === undefined) continue;
    run.requests = await readRequests();
    if (round >= 0) run.costs.push(cost);
  }
}
assertAlike();

console.log(`Node ${process.versions.node}, ${rows} appointments, 200 per page, ${delay} ms per response`);
console.log(`${rounds} rounds in turn, medians of whole processes`);
console.log(renderLine(['', 'wall', 'min–max', 'ratio', 'processor', 'peak', 'requests']));
for (const [index, { name }] of [...exporters, ...others].entries()) console.log(renderRun(name, index));

function renderRun(name: string, index: number): string {
  const { costs = [], requests = 0 } = runs[index] ?? {};
  const walls = costs.map(({ wallMs }) => wallMs);
  const ratio = median(walls) / median(runs[0]?.costs.map(({ wallMs }) => wallMs) ?? []);
  return renderLine([
    name,
    `${median(walls).toFixed(0)} ms`,
    `${Math.min(...walls).toFixed(0)}–${Math.max(...walls).toFixed(0)}`,
    ratio.toFixed(2),
    `${median(costs.map(({ busyMs }) => busyMs)).toFixed(0)} ms`,
    `${Math.max(...costs.map(({ peakMib }) => peakMib)).toFixed(0)} MiB`,
    String(requests),
  ]);
}

function renderLine([name = '', ...figures]: readonly string[]): string {
  return [name.padEnd(20), ...figures.map((figure) => figure.padStart(13))].join('').trimEnd();
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs count only if all wrote the same. */
function assertAlike(): void {
  const [model, ...own] = exporters.map((_exporter, index) => readFileSync(fileOf(index)));
  if (own.every((bytes) => model?.equals(bytes))) return;
  throw new Error('The exporters wrote different data.');
}

async function readRequests(): Promise<number> {
  server.process.send('count');
  const [requests] = (await once(server.process, 'message')) as [number];
  return requests;
}

function parseExporter(text: string): Exporter {
  const [, name, command] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || command === undefined) throw new Error(`"${text}" is not 'name=command'.`);
  return { name, toCommand: (file) => command.replaceAll('{base}', base).replaceAll('{file}', file) };
}

function fileOf(index: number): string {
  return join(folder.path, `${index}.csv`);
}

function pathOf(program: string): string {
  return fileURLToPath(new URL(program, import.meta.url));
}
