import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { writeInstallScripts } from '../../packaging/install/write-install-scripts.ts';

const ordinaryUser = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];

/** The programs that install.sh runs, beside curl or wget. */
export const installPrograms = [
  'awk',
  'chmod',
  'getconf',
  'grep',
  'mkdir',
  'mktemp',
  'mv',
  'rm',
  'rmdir',
  'sed',
  'sh',
  'sha256sum',
  'uname',
];

interface InstallOptions {
  /** Programs of another system, by name: what they do, in sh. */
  readonly stubs?: Readonly<Record<string, string>>;
  /** The only programs there are. */
  readonly programs?: readonly string[];
  /** Run first, in the same shell. */
  readonly before?: string;
  readonly isOrdinaryUser?: boolean;
  readonly interruptWhen?: () => boolean;
}

export interface InstallUser extends Disposable {
  readonly script: string;
  readonly target: string;
  install(shell: string, flags?: readonly string[], options?: InstallOptions): Promise<InstallRun>;
  write(path: string, text: string): void;
  read(path: string): string;
  /** Everything in the home folder. */
  files(): string[];
}

interface InstallRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Somebody with an empty home folder, and the scripts for a release address. */
export function createInstallUser(releaseUrl: string): InstallUser {
  const folder = mkdtempSync(join(tmpdir(), 'salon-install-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  writeInstallScripts(folder, releaseUrl);
  const script = join(folder, 'install.sh');
  const createPrograms = ({ stubs = {}, programs }: InstallOptions): string => {
    const bin = mkdtempSync(join(folder, 'bin-'));
    // A stand-in runs on any machine, so the script has to see the processor that it is for.
    const processor = { uname: 'if [ "$1" = -s ]; then echo Linux; else echo x86_64; fi' };
    for (const [program, act] of Object.entries({ ...processor, ...stubs })) {
      writeFileSync(join(bin, program), `#!/bin/sh\n${act}\n`, { mode: 0o755 });
    }
    if (programs === undefined) return `${bin}:${process.env['PATH']}`;
    for (const program of programs.filter((each) => each !== 'uname'))
      symlinkSync(findProgram(program), join(bin, program));
    return bin;
  };
  return {
    script,
    target: join(home, '.local/bin/salon'),
    async install(shell, flags = [], options = {}) {
      // Root writes to read-only folders, too, unless it gives that up.
      const ordinary = options.isOrdinaryUser && process.getuid?.() === 0 ? ordinaryUser : [];
      const [program = '', ...args] = [...ordinary, findProgram(shell), '-s', '--', ...flags];
      const child = spawn(program, args, {
        env: { HOME: home, PATH: createPrograms(options) },
        detached: true,
      });
      child.stdin.end(`${options.before ?? ''}\n${readFileSync(script, 'utf8')}`);
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
        options.interruptWhen &&
          expect
            .poll(options.interruptWhen)
            .toBe(true)
            .then(() => process.kill(-(child.pid ?? 0), 'SIGTERM')),
      ]);
      return { exitCode: code ?? -1, stdout, stderr };
    },
    write(path, written) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), written, { mode: 0o755 });
    },
    read: (path) => readFileSync(join(home, path), 'utf8'),
    files: () => readdirSync(home, { recursive: true, encoding: 'utf8' }).sort(),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function findProgram(program: string): string {
  const folders = (process.env['PATH'] ?? '').split(':');
  const found = folders.map((each) => join(each, program)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${program} is not installed`);
  return found;
}
