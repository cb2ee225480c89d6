import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureInTurn, type Program } from './measure-in-turn.ts';
import { openOnePageServer } from './one-page-server.ts';
import { renderTimes } from './render-times.ts';

// Start-up time of what is released: whole processes, from spawn to the end of their output, compared with an empty
// Node program. The package is unpacked from release/; the executable is measured beside it if it is there too.
const { values } = parseArgs({ options: { runs: { type: 'string', default: '30' } } });
const runs = parseRuns(values.runs);
using folder = openTemporaryFolder();
await using server = await openOnePageServer();

const launcher = unpack(findOne('release/salon-*.tgz'));
const [executable] = globSync(`release/salon-*-${process.platform}-${process.arch}`);
const home = join(folder.path, 'home');
mkdirSync(home);
const env = { HOME: home, SALON_CONFIG_DIR: home, SALON_DATA_DIR: home };
const remote = { SALON_BASE_URL: server.origin, SALON_API_KEY: server.key };
execFileSync(process.execPath, [launcher, 'demo'], { env, stdio: 'ignore' });

interface Start extends Pick<Program, 'args' | 'prints' | 'limit' | 'env'> {
  /** Where the data is, if that is not clear from the command. */
  readonly of?: string;
}

const starts: readonly Start[] = [
  { args: ['--version'], prints: /^\d+\.\d+\.\d+(-rc\.\d+)?\n$/, limit: 1.1 },
  { args: ['--help'], prints: /^Usage: salon/m, limit: 1.75 },
  { args: ['clients', '--help'], prints: /^Usage: salon clients/m, limit: 1.5 },
  { args: ['clients', 'list', '--help'], prints: /^Usage: salon clients list/m, limit: 1.7 },
  { args: ['__complete', 'clients', 'list', '--fo'], prints: /^--format\t/, limit: 2 },
  {
    args: ['clients', 'list', '-f', 'json'],
    of: 'one page over loopback',
    prints: /^\[\s*\{\s*"id":\s*"cli_/,
    limit: 2.2,
    env: remote,
  },
  {
    args: ['clients', 'list', '-f', 'json'],
    of: 'embedded',
    prints: /^\[\s*\{\s*"id":\s*"cli_/,
    limit: 5,
  },
  { args: ['today', '-f', 'csv'], of: 'embedded', prints: /^[A-Za-z_, ]+\n/, limit: 6 },
  { args: ['free', 'next', 'thursday', '-f', 'csv'], of: 'embedded', prints: /^[A-Za-z_, ]+\n/ },
];
const programs: readonly Program[] = [
  { name: 'node -e 0', args: ['-e', '0'], prints: /^$/ },
  ...starts.map((start) => ({ ...start, name: nameOf(start), args: [launcher, ...start.args] })),
  ...(executable === undefined ? [] : starts.map((start) => asExecutable(start, executable))),
];
const times = await measureInTurn(programs, { runs, warmUps: 2, env });
console.log(`Node ${process.versions.node}, ${runs} runs of each in turn`);
console.log(renderTimes(programs, times));

function asExecutable({ limit: _, ...start }: Start, file: string): Program {
  return { ...start, name: `executable: ${nameOf(start)}`, file: resolve(file) };
}

function nameOf({ args, of }: Start): string {
  return ['salon', ...args, ...(of === undefined ? [] : [`(${of})`])].join(' ');
}

/** The launcher of the unpacked package. */
function unpack(tarball: string): string {
  execFileSync('tar', ['-xzf', tarball, '-C', folder.path]);
  return join(folder.path, 'package/bin/salon.js');
}

function findOne(pattern: string): string {
  const [found, ...others] = globSync(pattern);
  if (found !== undefined && others.length === 0) return found;
  throw new Error(`There must be exactly one ${pattern}; make it with npm run release:npm.`);
}

function parseRuns(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new Error(`--runs must be a whole number from 1 to 9999, not "${text}".`);
}

function openTemporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'salon-bench-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
