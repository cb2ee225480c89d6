import { getSystemErrorMessage } from 'node:util';

/** Ends a script with a sentence. What it has not finished is removed as it exits. */
export function fail(message: string): never {
  process.stderr.write(`error: ${message}\n`);
  process.exit(1);
}

/** From here on, a full disk, a folder that cannot be written, or a program that fails ends the script with a sentence. */
export function failInSentences(): void {
  process.on('uncaughtException', (error: NodeJS.ErrnoException & FailedProgram & FailedCopy) => {
    const { errno, path, dest, spawnargs, status } = error;
    if (spawnargs !== undefined) fail(`${path} cannot be started: ${describeSystemError(errno)}.`);
    if (typeof status === 'number') fail(describeProgram(error));
    if (dest !== undefined) fail(`${path} cannot be copied to ${dest}: ${describeSystemError(errno)}.`);
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

/** What `copyFileSync` throws. */
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
