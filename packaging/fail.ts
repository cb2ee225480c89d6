import { getSystemErrorMessage } from 'node:util';

/** Ends a script with a sentence. What it has not finished is removed as it exits. */
export function fail(message: string): never {
  process.stderr.write(`error: ${message}\n`);
  process.exit(1);
}

/** From here on, a full disk, a folder that cannot be written, or a program that fails ends the script with a sentence. */
export function failInSentences(): void {
  process.on('uncaughtException', (error: NodeJS.ErrnoException & FailedProgram) => {
    const { errno, path, spawnargs, status } = error;
    if (spawnargs !== undefined) fail(`${path} cannot be started: ${describeSystemError(errno)}.`);
    if (typeof status === 'number') fail(describeProgram(error));
    if (errno !== undefined)
      fail(`${path ?? 'A file'} cannot be written or read: ${describeSystemError(errno)}.`);
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });
}

/** What `execFileSync` throws. */
interface FailedProgram {
  readonly spawnargs?: readonly string[];
  readonly status?: number | null;
  readonly stderr?: Buffer | string | null;
}

/** Some functions of Node give the number without its sign. */
function describeSystemError(errno = 0): string {
  return getSystemErrorMessage(-Math.abs(errno));
}

/** Its command, and the last line that it wrote. */
function describeProgram({ message, stderr }: Error & FailedProgram): string {
  const [, program = 'A program'] = /^Command failed: (\S+)/.exec(message) ?? [];
  const lines = String(stderr ?? '')
    .trim()
    .split('\n');
  return `${program} failed${lines.at(-1) === '' ? '' : `: ${lines.at(-1)}`}.`;
}
