import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureInTurn, type Program, timeRun } from './measure-in-turn.ts';
import { openFolder, startServer } from './start-server.ts';

// The same updates by `salon jobs apply`, with its journal on disk, and by a bare undici pool: whole processes, in turn.
// Before that, what the sheet would change: planned by `salon clients update`, the same with every row checked by the
// service (`--dry-run`), and by a script that reads the list and compares.
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '5' } },
});
const launcher = fileURLToPath(new URL('../bin/salon.js', import.meta.url));
using folder = openFolder();
using service = startServer('salon-service.ts', [join(folder.path, 'salon.db'), '0', values.rows]);
const [{ port, key }] = (await once(service.process, 'message')) as [{ port: number; key: string }];
const origin = `http://127.0.0.1:${port}`;
const env = {
  HOME: folder.path,
  SALON_CONFIG_DIR: folder.path,
  SALON_DATA_DIR: folder.path,
  SALON_BASE_URL: origin,
  SALON_API_KEY: key,
};
const plan = join(folder.path, 'plan.json');
const list = join(folder.path, 'clients.ndjson');
const sheet = join(folder.path, 'sheet.ndjson');
const sheetEdit = ['clients', 'update', '--file', sheet];

const read = toProgram('read', ['clients', 'list', '-f', 'ndjson', '-o', list, '--quiet'], /^$/);
const prepare = toProgram('salon, plan', [...sheetEdit, '--plan-file', plan, '--quiet'], /^$/);
const dryRun = toProgram('salon, dry run', [...sheetEdit, '--dry-run', '--json', '--quiet'], /cli_/);
const compare: Program = {
  name: 'script that compares',
  args: [fileURLToPath(new URL('bare-comparer.ts', import.meta.url)), origin, key, sheet],
  prints: new RegExp(`"changes":${values.rows}`),
};
const ours = toProgram(
  'salon jobs apply',
  ['jobs', 'apply', plan, '--yes', '--json', '--quiet', '--concurrency', '16'],
  /"done": \d/,
);
const bare: Program = {
  name: 'bare undici pool',
  args: [fileURLToPath(new URL('bare-writer.ts', import.meta.url)), origin, key, sheet],
  prints: /written/,
};

await writeNotes('compared');
const readers = [compare, prepare, dryRun];
const medians = (await measureInTurn(readers, { runs: Number(values.rounds), warmUps: 1, env })).map(
  (times) => ({
    wallMs: toMedian(times.map(({ wallMs }) => wallMs)),
    busyMs: toMedian(times.map(({ busyMs }) => busyMs)),
  }),
);
console.log(`What a sheet of ${values.rows} rows would change, ${values.rounds} rounds in turn, medians`);
for (const [index, { wallMs, busyMs }] of medians.entries()) {
  const ratio = (figure: 'wallMs' | 'busyMs') =>
    ((medians[index]?.[figure] ?? 0) / (medians[0]?.[figure] ?? 0)).toFixed(2);
  console.log(
    `${readers[index]?.name.padEnd(22)} ${wallMs.toFixed(0)} ms (${ratio('wallMs')}), CPU ${busyMs.toFixed(0)} ms (${ratio('busyMs')})`,
  );
}

// New clients by `create --file` and by `import`, which also finds out who is known.
const people = (name: string) =>
  Array.from(
    { length: Number(values.rows) },
    (_, at) => `Nova,Berg${name}${at},${name}${at}@import.example,likes tea`,
  );
const additions = { create: [] as number[], import: [] as number[] };
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const verb of ['create', 'import'] as const) {
    const path = join(folder.path, `${verb}${round}.csv`);
    writeFileSync(path, `first_name,last_name,email,notes\n${people(`${verb}${round}x`).join('\n')}\n`);
    const file = verb === 'create' ? ['--file', path] : [path];
    const argv = ['clients', verb, ...file, '--yes', '--json', '--quiet', '--concurrency', '16'];
    additions[verb].push((await timeRun(toProgram(verb, argv, /"done": \d/), env)).wallMs);
  }
}
const [createMs, importMs] = [toMedian(additions.create), toMedian(additions.import)];
console.log(`${values.rows} new clients, ${values.rounds} rounds in turn, medians of whole processes`);
console.log(`clients create --file  ${createMs.toFixed(0)} ms`);
console.log(
  `clients import         ${importMs.toFixed(0)} ms: ${(importMs / createMs).toFixed(2)} of its time (at most 1.30 promised)`,
);

const timesMs = { ours: [] as number[], bare: [] as number[] };
for (let round = 0; round < Number(values.rounds); round += 1) {
  await writeNotes(`salon ${round}`);
  await timeRun(prepare, env);
  timesMs.ours.push((await timeRun(ours, env)).wallMs);
  await writeNotes(`bare ${round}`);
  timesMs.bare.push((await timeRun(bare, env)).wallMs);
}
const [oursMs, bareMs] = [toMedian(timesMs.ours), toMedian(timesMs.bare)];
console.log(`${values.rows} updates, ${values.rounds} rounds in turn, medians of whole processes`);
console.log(`bare undici pool  ${bareMs.toFixed(0)} ms`);
console.log(
  `salon jobs apply  ${oursMs.toFixed(0)} ms: ${(bareMs / oursMs).toFixed(2)} of its rate (at least 0.60 promised)`,
);

/** The whole list, each record with a new note. */
async function writeNotes(notes: string): Promise<void> {
  await timeRun(read, env);
  const records = readFileSync(list, 'utf8').split('\n').filter(Boolean);
  writeFileSync(sheet, records.map((line) => `${JSON.stringify({ ...JSON.parse(line), notes })}\n`).join(''));
}

function toProgram(name: string, args: readonly string[], prints: RegExp): Program {
  return { name, args: [launcher, ...args], prints };
}

function toMedian(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}
