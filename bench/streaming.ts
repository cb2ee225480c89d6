import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareExporters, toProgram } from './export-run.ts';
import { openFolder, startServer } from './start-server.ts';

// All appointments to CSV over loopback from the same service: salon, which reads them in one response, and a
// hand-written exporter, which reads pages. Whole processes in turn.
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '7' } },
});
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

const byHand = toProgram('export-by-hand.js', `${origin}/api/v1`, 1);
const salon = toProgram('../bin/salon.js', 'appointments list -q -f csv');
const exporters = [
  { name: 'by hand, pages', toCommand: (file: string) => `${byHand} > ${file}` },
  { name: 'salon', toCommand: (file: string) => `${salon} > ${file}` },
  { name: 'salon --output', toCommand: (file: string) => `${salon} --output ${file}` },
];
console.log(
  `${values.rows} appointments to CSV, ${values.rounds} rounds in turn, medians of whole processes`,
);
console.log(`wanted: at most ${wanted.ratio} of the time by hand, at most ${wanted.peakMib} MiB`);
console.log(await compareExporters(exporters, { rounds: Number(values.rounds), folder: folder.path, env }));
