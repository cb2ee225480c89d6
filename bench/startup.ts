import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureInTurn, type Program } from './measure-in-turn.ts';
import { openOnePageServer } from './one-page-server.ts';
import { renderTimes } from './render-times.ts';

// Start-up time: whole processes, from spawn to the end of their output, compared with an empty Node program.
const { values } = parseArgs({ options: { runs: { type: 'string', default: '30' } } });
const runs = parseRuns(values.runs);
const launcher = fileURLToPath(new URL('../bin/salon.js', import.meta.url));
using home = openTemporaryHome();
await using server = await openOnePageServer();

const programs: readonly Program[] = [
  { name: 'node -e 0', args: ['-e', '0'], prints: /^$/ },
  {
    name: 'salon --version',
    args: [launcher, '--version'],
    prints: /^\d+\.\d+\.\d+(-rc\.\d+)?\n$/,
    limit: 1.5,
  },
  { name: 'salon --help', args: [launcher, '--help'], prints: /^Usage: salon/m, limit: 1.75 },
  {
    name: 'salon clients list --help',
    args: [launcher, 'clients', 'list', '--help'],
    prints: /^Usage: salon clients list/m,
    limit: 1.7,
  },
  {
    name: 'salon __complete clients list --fo',
    args: [launcher, '__complete', 'clients', 'list', '--fo'],
    prints: /^--format\t/,
    limit: 2,
  },
  {
    name: 'salon clients list -f json',
    args: [launcher, 'clients', 'list', '-f', 'json'],
    prints: /^\[\s*\{\s*"id":\s*"cli_/,
    limit: 5,
  },
];
const env = {
  HOME: home.path,
  SALON_CONFIG_DIR: home.path,
  SALON_DATA_DIR: home.path,
  SALON_BASE_URL: server.origin,
  SALON_API_KEY: server.key,
};
const times = await measureInTurn(programs, { runs, warmUps: 2, env });
console.log(
  `Node ${process.versions.node}, ${runs} runs of each in turn; the list is one page over loopback`,
);
console.log(renderTimes(programs, times));

function parseRuns(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new Error(`--runs must be a whole number from 1 to 9999, not "${text}".`);
}

/** An empty home, so that no existing profile is used. */
function openTemporaryHome(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'salon-bench-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
