import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Cost, runExporter } from './export-run.ts';
import { openFolder, startServer } from './start-server.ts';

// An export of appointments with the names of clients and stylists, and the same one with their IDs, from the real
// service: whole processes in turn.
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    clients: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '7' },
  },
});
const { rows, clients } = values;
const rounds = Number(values.rounds);
using folder = openFolder();
using server = startServer('salon-service.ts', [join(folder.path, 'salon.db'), rows, clients]);
const [{ port, key }] = (await once(server.process, 'message')) as [{ port: number; key: string }];
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: folder.path,
  SALON_BASE_URL: `http://127.0.0.1:${port}`,
  SALON_API_KEY: key,
};
const salon = `${process.execPath} ${fileURLToPath(new URL('../bin/salon.js', import.meta.url))}`;
const sides = ['client_id,stylist_id', 'client_name,stylist_name'].map((people, index) => ({
  name: people,
  file: join(folder.path, `${index}.csv`),
  toCommand: (file: string) =>
    `${salon} appointments list -q -f csv -c id,start_time,duration,service,status,${people} > ${file}`,
  costs: [] as Cost[],
}));

for (let round = -1; round < rounds; round++) {
  for (const side of sides) {
    const cost = await runExporter(side, { file: side.file, env });
    if (round >= 0) side.costs.push(cost);
  }
}
for (const { file } of sides) assertWhole(readFileSync(file, 'utf8'));

console.log(
  `Node ${process.versions.node}, ${rows} appointments of ${clients} clients, ${rounds} rounds in turn`,
);
const [ids, names] = sides.map(({ name, costs }) => {
  const figures = {
    wall: median(costs.map(({ wallMs }) => wallMs)),
    busy: median(costs.map(({ busyMs }) => busyMs)),
    peak: Math.max(...costs.map(({ peakMib }) => peakMib)),
  };
  const { wall, busy, peak } = figures;
  console.log(
    `${name.padEnd(26)}${wall.toFixed(0)} ms, processor ${busy.toFixed(0)} ms, peak ${peak.toFixed(0)} MiB`,
  );
  return figures;
});
if (ids !== undefined && names !== undefined) {
  console.log(
    `ratio ${(names.wall / ids.wall).toFixed(3)}, of the processor's time ${(names.busy / ids.busy).toFixed(3)}`,
  );
}

/** A run counts only if every row has both people. */
function assertWhole(csv: string): void {
  const lines = csv.trimEnd().split('\n').slice(1);
  const whole = lines.filter((line) => /,[^,]+,[^,]+$/.test(line));
  if (lines.length !== Number(rows) || whole.length !== lines.length)
    throw new Error(`${whole.length} of ${lines.length} rows name two people; ${rows} were expected.`);
}

function median(figures: readonly number[]): number {
  return figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? Number.NaN;
}
