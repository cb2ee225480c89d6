import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isListening } from '../support/free-port.ts';
import { until } from '../support/until.ts';

const execute = promisify(execFile);

/** A temporary folder with the software of somebody else. */
export interface InstalledFolder extends AsyncDisposable {
  readonly path: string;
}

/** Installs packages of exactly these versions from the registry, without running their scripts. */
export function installNpmPackages(...packs: readonly string[]): Promise<InstalledFolder> {
  return fillFolder(async (folder) => {
    await writeFile(join(folder, 'package.json'), '{"private":true}\n');
    const argv = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', ...packs];
    await execute('npm', argv, { cwd: folder, timeout: 600_000 });
  });
}

/**
 * Unpacks packages of Debian's Python without installing them, from indexes of its own: neither root nor a recent
 * `apt-get update` is needed.
 */
export function unpackDebianPackages(...packs: readonly string[]): Promise<InstalledFolder> {
  return fillFolder(async (folder) => {
    const options = [`Dir::State::Lists=${folder}/lists`, `Dir::Cache=${folder}/cache`];
    const apt = (...argv: readonly string[]) =>
      execute('apt-get', ['-qq', ...options.flatMap((option) => ['-o', option]), ...argv], {
        cwd: folder,
        timeout: 600_000,
      });
    for (const name of ['lists', 'cache/archives'])
      await mkdir(join(folder, name, 'partial'), { recursive: true });
    await apt('update');
    await apt('download', ...packs);
    for (const name of await readdir(folder)) {
      if (name.endsWith('.deb')) await execute('dpkg-deb', ['--extract', name, folder], { cwd: folder });
    }
  });
}

async function fillFolder(fill: (folder: string) => Promise<void>): Promise<InstalledFolder> {
  await using stack = new AsyncDisposableStack();
  const path = await mkdtemp(join(tmpdir(), 'salon-real-server-'));
  stack.defer(() => rm(path, { recursive: true, force: true }));
  await fill(path);
  const resources = stack.move();
  return { path, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Copies an app of these tests to the software that it uses. */
export async function copyApp(folder: InstalledFolder, ...names: readonly string[]): Promise<void> {
  for (const name of names)
    await cp(join(import.meta.dirname, 'real', 'apps', name), join(folder.path, name), { recursive: true });
}

export interface ServerProcess {
  readonly program: string;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where it will listen on loopback. */
  readonly port: number;
}

/** Starts a server in a folder, and waits until it listens; it ends when it is disposed of. */
export async function startProcess(
  folder: InstalledFolder,
  { program, argv, env, port }: ServerProcess,
): Promise<AsyncDisposable> {
  const child = spawn(program, argv, {
    cwd: folder.path,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    await waitForPort(child, port);
  } catch (error) {
    await stop(child);
    throw error;
  }
  return { [Symbol.asyncDispose]: () => stop(child) };
}

/** Reads the output to its end, so that the process never waits for a reader. */
async function waitForPort(child: ChildProcess, port: number): Promise<void> {
  let seen = '';
  const add = (chunk: Buffer) => {
    if (seen.length < 100_000) seen += chunk.toString();
  };
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`The server ended before it listened:\n${seen}`)));
  });
  let hasEnded = false;
  ended.catch(() => {
    hasEnded = true;
  });
  await Promise.race([ended, until(async () => hasEnded || (await isListening(port)))]);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
