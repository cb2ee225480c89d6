import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../support/free-port.ts';

/** Another product, installed from the registry into a folder of its own and run as a process. */
export interface RealServer extends AsyncDisposable {
  readonly origin: string;
  readonly folder: string;
}

export interface RealServerOptions {
  /** Name and exact version. */
  readonly pack: string;
  /** The program inside the package. */
  readonly program: string;
  /** Files it starts with. */
  readonly files: Readonly<Record<string, string>>;
  readonly argv: (port: number) => readonly string[];
  /** A line of its output that says that it listens. */
  readonly ready: RegExp;
}

/** Installs and starts a server; it ends, and its folder goes, when it is disposed of. */
export async function openRealServer(options: RealServerOptions): Promise<RealServer> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'salon-real-server-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  await install(options.pack, folder);
  for (const [name, text] of Object.entries(options.files)) await writeFile(join(folder, name), text);
  const port = await findFreePort();
  const program = join(folder, 'node_modules', options.program);
  const child = spawn(process.execPath, [program, ...options.argv(port)], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stack.defer(() => stop(child));
  await waitForLine(child, options.ready);
  const resources = stack.move();
  return {
    origin: `http://127.0.0.1:${port}`,
    folder,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function install(pack: string, folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"private":true}\n');
  const argv = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', pack];
  await promisify(execFile)('npm', argv, { cwd: folder, timeout: 300_000 });
}

/** Reads the output to its end, so that the process never waits for a reader. */
function waitForLine(child: ChildProcess, pattern: RegExp): Promise<void> {
  let seen = '';
  return new Promise((resolve, reject) => {
    const add = (chunk: Buffer) => {
      if (seen.length < 100_000) seen += chunk.toString();
      if (pattern.test(seen)) resolve();
    };
    child.stdout?.on('data', add);
    child.stderr?.on('data', add);
    child.once('exit', () => reject(new Error(`The server ended before it listened:\n${seen}`)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
