import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { findFreePort } from './free-port.ts';

const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Whether a program is installed. In CI it has to be: .ci/run installs it. */
export function isInstalled(program: string): boolean {
  const found = folders.some((folder) => isExecutable(join(folder, program)));
  if (!found && process.env['CI'] !== undefined) throw new Error(`${program} is not installed`);
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface Gateway extends AsyncDisposable {
  readonly port: number;
}

export interface GatewayOptions {
  readonly program: string;
  readonly args: (config: string) => readonly string[];
  /** The configuration for a port and a folder for files. */
  readonly config: (port: number, folder: string) => string;
  /** Other files, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Starts a proxy or web server in the foreground on a free port of loopback, and waits until it accepts connections. */
export async function startGateway({ program, args, config, files = {} }: GatewayOptions): Promise<Gateway> {
  // Not in TMPDIR: a program that gives up root has to reach it.
  const folder = mkdtempSync('/tmp/salon-gateway-');
  chmodSync(folder, 0o755);
  const port = await findFreePort();
  const path = join(folder, 'gateway.conf');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(path, `${config(port, folder)}\n`);
  const child = spawn(program, args(path), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PATH: folders.join(delimiter) },
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const closed = once(child, 'close');
  const stop = async () => {
    child.kill();
    await closed;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitUntilListening(port, child, () => errors);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, [Symbol.asyncDispose]: stop };
}

async function waitUntilListening(port: number, child: ChildProcess, errors: () => string): Promise<void> {
  for (let attempts = 0; attempts < 6_000; attempts += 1) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended: ${errors()}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${child.spawnfile} does not listen: ${errors()}`);
}
