import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';

/** Ends a script with a sentence. What it has not finished is removed as it exits. */
export function fail(message: string): never {
  process.stderr.write(`error: ${message}\n`);
  process.exit(1);
}

/** The exit codes that shells give. */
const interrupts: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** What `runProgram` waits for. */
let running: ChildProcess | undefined;
let interruptedWith: number | undefined;

/**
 * From here on, a full disk, a folder that cannot be written, or a program that fails ends the script with a sentence, and
 * an interrupt ends it as `process.exit` does.
 */
export function failInSentences(): void {
  process.on('uncaughtException', (error: NodeJS.ErrnoException & FailedProgram & FailedCopy) => {
    const { errno, path, dest, spawnargs, status } = error;
    if (spawnargs !== undefined) fail(`${path} cannot be started: ${describeSystemError(errno)}.`);
    if (status !== undefined) fail(describeProgram(error));
    if (dest !== undefined) fail(`${path} cannot be copied to ${dest}: ${describeSystemError(errno)}.`);
    if (errno !== undefined)
      fail(`${path ?? 'A file'} cannot be written or read: ${describeSystemError(errno)}.`);
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });
  for (const [signal, code] of Object.entries(interrupts)) {
    process.on(signal, () => {
      interruptedWith = code;
      if (running === undefined) process.exit(code);
      running.kill('SIGTERM');
    });
  }
}

/** Runs a program to its end. An interrupt of the script ends the program first, and so what it writes can be removed. */
export async function runProgram(
  program: string,
  args: readonly string[],
  {
    output = 'ignore',
    ...options
  }: { cwd?: string; env?: NodeJS.ProcessEnv; output?: 'ignore' | 'inherit' } = {},
): Promise<void> {
  const errors = output === 'inherit' ? output : 'pipe';
  const child = spawn(program, args, { ...options, stdio: ['ignore', output, errors] });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  running = child;
  const [status] = await once(child, 'close');
  running = undefined;
  if (interruptedWith !== undefined) process.exit(interruptedWith);
  if (status !== 0) throw Object.assign(new Error(`Command failed: ${program}`), { status, stderr });
}

/** Copies a file or a folder. Without a filter, Node does it in C++, where a full disk is an "input/output error". */
export function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: () => true });
}

/** What `runProgram` and `execFileSync` throw. */
interface FailedProgram {
  readonly spawnargs?: readonly string[];
  readonly status?: number | null;
  readonly stderr?: Buffer | string | null;
}

/** What `copyFileSync` throws, and `copyTree`. */
interface FailedCopy {
  readonly dest?: string;
}

/** Some functions of Node give the number without its sign. */
function describeSystemError(errno = 0): string {
  return getSystemErrorMessage(-Math.abs(errno));
}

/** Its command, and the end of the last line that it wrote: buildah puts all its options before what happened. */
function describeProgram({ message, stderr }: Error & FailedProgram): string {
  const [, program = 'A program'] = /^Command failed: (\S+)/.exec(message) ?? [];
  const [line = ''] = String(stderr ?? '')
    .trim()
    .split('\n')
    .slice(-1);
  const reason = line.split(': ').slice(-2).join(': ').replace(/\.$/, '');
  return `${program} failed${reason === '' ? '' : `: ${reason}`}.`;
}
