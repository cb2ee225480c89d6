import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHome, type Home, launcher, runSalon } from '../support/salon-process.ts';
import { isLong } from '../support/speed.ts';

const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
const needed = 'error: salon needs Node 24.15 or newer with SQLite 3.51.3 or newer; this is Node';

const platform = process.platform === 'win32' ? 'win' : process.platform;
const nodePackage = `node-${platform}-${process.arch}`;

function npm(argv: readonly string[]): string {
  return execFileSync('npm', argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** The oldest versions of Node that package.json accepts, and the newest of each major. */
function findAcceptedVersions(): string[] {
  const oldest = ['24.15.0', '25.8.1'];
  const newest = new Map<string, string>();
  const published: string[] = JSON.parse(npm(['view', nodePackage, 'versions', '--json']));
  const numbered = published.filter((version) => /^\d+\.\d+\.\d+$/.test(version));
  const byAge = numbered.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  for (const version of byAge) newest.set(version.split('.')[0] ?? '', version);
  return [...oldest, ...newest.values()].filter((version) => Number(version.split('.')[0]) >= 24);
}

/** Installs a version of Node in a folder and returns its program. */
function installNode(version: string, { folder }: Home): string {
  npm(['install', '--ignore-scripts', '--no-audit', '--prefix', folder, `${nodePackage}@${version}`]);
  return join(folder, 'node_modules', nodePackage, 'bin', platform === 'win' ? 'node.exe' : 'node');
}

/** Starts a copy of the launcher, which has no Node of its own beside it. */
function launch(argv: readonly string[], { node = process.execPath, nodeArgs = [] as string[] } = {}) {
  using home = createHome();
  const folder = join(home.folder, 'bin');
  cpSync(launcher, join(folder, 'salon.js'));
  cpSync(join(launcher, '../../package.json'), join(home.folder, 'package.json'));
  const { status, stdout, stderr } = spawnSync(node, [...nodeArgs, join(folder, 'salon.js'), ...argv], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** Makes a process believe that it is another Node. */
function pretend(versions: { node: string; sqlite: string | undefined }): string[] {
  const sqlite = versions.sqlite === undefined ? 'undefined' : `'${versions.sqlite}'`;
  const code = `const value = { ...process.versions, node: '${versions.node}', sqlite: ${sqlite} };
    Object.defineProperty(process, 'versions', { value });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}

describe('the launcher', () => {
  it.each([
    { versions: { node: '24.14.1', sqlite: '3.51.2' }, found: '24.14.1 with SQLite 3.51.2' },
    { versions: { node: '24.0.0', sqlite: '3.49.1' }, found: '24.0.0 with SQLite 3.49.1' },
    { versions: { node: '25.8.0', sqlite: '3.51.2' }, found: '25.8.0 with SQLite 3.51.2' },
    { versions: { node: '23.99.0', sqlite: '3.53.0' }, found: '23.99.0 with SQLite 3.53.0' },
    { versions: { node: '20.20.2', sqlite: undefined }, found: '20.20.2' },
  ])('refuses Node $found', ({ versions, found }) => {
    for (const argv of [['--version'], ['clients', 'list']]) {
      const result = launch(argv, { nodeArgs: pretend(versions) });
      expect(result).toEqual({ status: 2, stdout: '', stderr: `${needed} ${found}.\n` });
    }
  });

  it.each([
    { node: '24.15.0', sqlite: '3.51.3' },
    { node: '26.0.0', sqlite: '3.100.0' },
    { node: '30.1.0', sqlite: '4.0.0' },
  ])('accepts Node $node with SQLite $sqlite', (versions) => {
    expect(launch(['--version'], { nodeArgs: pretend(versions) })).toMatchObject({ status: 0, stderr: '' });
  });

  it.each(isLong ? findAcceptedVersions() : [])(
    'runs on Node %s without a warning',
    async (version) => {
      using home = createHome();
      const node = installNode(version, home);
      expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toBe(`v${version}\n`);
      for (const argv of [
        ['--version'],
        ['--help'],
        ['demo', '--quiet'],
        ['clients', 'list', '--quiet', '--limit', '3'],
        ['appointments', 'list', '--quiet', '-o', 'all.csv'],
        ['clients', 'list', '--quiet', '-o', 'all.xlsx'],
        ['clients', 'update', '--file', 'all.xlsx', '--quiet', '--yes'],
      ]) {
        expect({ argv, ...(await runSalon(argv, { home, node })) }).toMatchObject({
          argv,
          exitCode: 0,
          stderr: '',
        });
      }
      expect(readFileSync(join(home.folder, 'all.csv'), 'utf8').split('\n').length).toBe(20_002);
    },
    300_000,
  );

  it('asks npm for the same versions', () => {
    expect(engines.node).toBe('^24.15.0 || >=25.8.1');
  });

  const systemNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
    try {
      return Number(/^v(\d+)/.exec(execFileSync(path, ['-v'], { encoding: 'utf8' }))?.[1]) < 24;
    } catch {
      return false;
    }
  });

  it.skipIf(systemNode === undefined)('says so on a Node that is too old', () => {
    const { status, stdout, stderr } = launch(['--version'], { node: systemNode ?? '' });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^error: salon needs Node 24\.15 .*\n$/);
  });
});
