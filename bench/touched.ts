import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';

// How much code a common task runs through: functions of src that are called and the files they are in, as V8 counts
// them. `--src <checkout>` measures another checkout; `--list` prints the files and the number of functions called in each.

const { values } = parseArgs({
  options: { src: { type: 'string', default: '.' }, list: { type: 'boolean' } },
});
const source = join(process.cwd(), values.src, 'src');
const folder = mkdtempSync(join(tmpdir(), 'salon-touched-'));
const starter = join(folder, 'start.mjs');
writeFileSync(
  starter,
  `import { main } from ${JSON.stringify(pathToFileURL(join(source, 'cli/run.ts')).href)};\nprocess.exitCode = await main(process);\n`,
);

/** The service runs in this process, so that the code of the command line is counted apart from the service's. */
const service = await startService();
try {
  await reportBooking();
  await run(['clients', 'list', '--limit', '1', '-f', 'csv', '-c', 'id', '-o', 'first.csv']);
  const id = readFileSync(join(folder, 'first.csv'), 'utf8').split(/\r?\n/)[1];
  writeFileSync(join(folder, 'sheet.csv'), `id,notes\n${id},Prefers mornings\n`);
  await report('one cell of a sheet to its PUT', ['clients', 'update', '--file', 'sheet.csv', '--yes']);
  await report('one row to CSV', ['clients', 'list', '--limit', '1', '-f', 'csv']);
  await report('one row to a CSV file', ['clients', 'list', '--limit', '1', '-o', 'one.csv']);
} finally {
  service.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function report(title: string, argv: readonly string[]): Promise<void> {
  const coverage = join(folder, `coverage-${argv.length}-${argv.at(-1)}`);
  mkdirSync(coverage);
  await run(argv, { NODE_V8_COVERAGE: coverage });
  const scripts = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as { result: Scripts };
    return result;
  });
  show(title, countFunctions(scripts));
}

/** Counts what the service does for a booking. The one before it leaves out what only a first request needs. */
async function reportBooking(): Promise<void> {
  const [client_id, stylist_id] = [await readFirstId('clients'), await readFirstId('stylists')];
  const book = (start_time: string) =>
    send('appointments', { client_id, stylist_id, service: 'Cut', start_time, duration: 30 });
  await book('2031-05-06T10:00:00Z');
  const profiler = new Session();
  profiler.connect();
  await profiler.post('Profiler.enable');
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true });
  await book('2031-05-06T14:00:00Z');
  const { result } = await profiler.post('Profiler.takePreciseCoverage');
  profiler.disconnect();
  show('one booking POST', countFunctions(result));
}

async function readFirstId(list: string): Promise<string | undefined> {
  const { data } = (await send(list)) as { data: readonly { readonly id: string }[] };
  return data[0]?.id;
}

/** Sends a request to the service: a POST with a body, or else a GET. */
async function send(path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
  const response = await fetch(`${service.origin}/v1/${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers,
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

function show(title: string, files: ReadonlyMap<string, number>): void {
  const functions = [...files.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${title}: ${files.size} files, ${functions} functions`);
  if (values.list) for (const [file, count] of [...files].sort()) console.log(`  ${count}\t${file}`);
}

type Scripts = readonly Profiler.ScriptCoverage[];

/** Counts functions called at least once by file, without module bodies. */
function countFunctions(scripts: Scripts): Map<string, number> {
  const prefix = pathToFileURL(source).href;
  const counts = new Map<string, number>();
  for (const { url, functions } of scripts.filter((script) => script.url.startsWith(prefix))) {
    const called = functions.filter(
      ({ ranges: [whole] }) => whole && whole.startOffset > 0 && whole.count > 0,
    );
    if (called.length > 0) counts.set(url.slice(prefix.length + 1), called.length);
  }
  return counts;
}

async function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  const options = { cwd: folder, env: { ...environment(), ...env } };
  await promisify(execFile)(process.execPath, [starter, ...argv], options);
}

function environment(): Record<string, string> {
  const home = { HOME: folder, SALON_CONFIG_DIR: folder, SALON_DATA_DIR: folder };
  return {
    ...home,
    SALON_BASE_URL: service.origin,
    SALON_API_KEY: service.key,
    NODE_NO_WARNINGS: '1',
  };
}

async function startService() {
  const { openTestService } = await import('../test/support/service.ts');
  const opened = await openTestService({ clients: 3 });
  return { origin: opened.origin, key: opened.keys.owner, stop: () => void opened.close() };
}
