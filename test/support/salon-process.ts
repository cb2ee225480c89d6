import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openMachine, type RunResult } from './io.ts';

export const launcher = join(import.meta.dirname, '../../bin/salon.js');

const executable = process.env['SALON_TEST_EXECUTABLE'];
/** How the built program is started, or the executable that `npm run test:executable` tests in its place. */
export const program: readonly [string, ...string[]] =
  executable === undefined ? [process.execPath, launcher] : [resolve(executable)];

/** The home and working folder of processes; starts empty. */
export interface Home extends Disposable {
  readonly folder: string;
}

export function createHome(): Home {
  const folder = mkdtempSync(join(tmpdir(), 'salon-process-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface Finished {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartOptions {
  readonly home: Home;
  readonly env?: Readonly<Record<string, string>>;
  readonly node?: string;
}

function toEnvironment({ home, env }: StartOptions): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home.folder,
    TZ: 'UTC',
    SALON_TIME_ZONE: 'UTC',
    SALON_NO_KEYRING: '1',
    ...env,
  };
}

/** Starts the built program as a process. */
export function startSalon(argv: readonly string[], { home, env = {}, node }: StartOptions): ChildProcess {
  const [command, ...args] = node === undefined ? program : [node, launcher];
  return spawn(command, [...args, ...argv], {
    cwd: home.folder,
    env: toEnvironment({ home, env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export async function runSalon(argv: readonly string[], options: StartOptions): Promise<Finished> {
  return finish(startSalon(argv, options));
}

/** Runs a command in this process, for what a process of its own would not show: what a killed one has left. */
export function runHere(argv: readonly string[], { home, env = {} }: StartOptions): Promise<RunResult> {
  return openMachine(home.folder, { env }).salon(argv);
}

/** Simulates a full disk with a limit of 24 KiB per file: the first bytes are written, the rest fails. */
export async function runOnSmallDisk(
  argv: readonly string[],
  { home, env = {} }: StartOptions,
): Promise<Finished> {
  const script = `trap '' XFSZ; ulimit -f 24; exec "$0" "$@"`;
  const child = spawn('bash', ['-c', script, ...program, ...argv], {
    cwd: home.folder,
    env: toEnvironment({ home, env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return finish(child);
}

export async function finish(child: ChildProcess): Promise<Finished> {
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { exitCode, signal, stdout: stdout(), stderr: stderr() };
}

export interface RunningService {
  readonly child: ChildProcess;
  readonly origin: string;
}

/** Starts `salon server start` and waits until it prints its address. */
export async function startService(
  database: string,
  { port = '0', flags = [], ...options }: StartOptions & { port?: string; flags?: readonly string[] },
): Promise<RunningService> {
  const always = ['--allow-loopback-webhooks', '--log-level', 'error'];
  const argv = ['server', 'start', '--port', port, ...always, ...flags, '--database', database];
  const child = startSalon(argv, options);
  const stderr = collect(child.stderr);
  const ended = once(child, 'close').then(() => {
    throw new Error(`the service ended before it was ready: ${stderr()}`);
  });
  ended.catch(() => {});
  const [line] = (await Promise.race([once(child.stdout ?? child, 'data'), ended])) as [Buffer];
  return { child, origin: line.toString().trim() };
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}
