import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** The service runs in this process, so that only the command line's code is counted. */
const service = await startService();
try {
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
  const files = countFunctions(coverage);
  const functions = [...files.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${title}: ${files.size} files, ${functions} functions`);
  if (values.list) for (const [file, count] of [...files].sort()) console.log(`  ${count}\t${file}`);
}

interface CoverageReport {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

/** Counts functions called at least once by file, without module bodies. */
function countFunctions(coverage: string): Map<string, number> {
  const prefix = pathToFileURL(source).href;
  const counts = new Map<string, number>();
  for (const name of readdirSync(coverage)) {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as CoverageReport;
    for (const { url, functions } of result.filter((script) => script.url.startsWith(prefix))) {
      const called = functions.filter(({ ranges }, index) => index > 0 && (ranges[0]?.count ?? 0) > 0);
      if (called.length > 0) counts.set(url.slice(prefix.length + 1), called.length);
    }
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
