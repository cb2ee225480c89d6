import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

export interface Program {
  readonly name: string;
  /** This Node unless given. */
  readonly file?: string;
  readonly args: readonly string[];
  /** Added to the environment of all. */
  readonly env?: Readonly<Record<string, string>>;
  /** What its output looks like on success; a failed start must not count. */
  readonly prints: RegExp;
  /** Goal, as a multiple of the first program's median; printed, not enforced. */
  readonly limit?: number;
}

export interface Measuring {
  readonly runs: number;
  /** Uncounted runs, which fill the compile cache and the file cache. */
  readonly warmUps: number;
  /** The whole environment but for what a program adds. */
  readonly env: Readonly<Record<string, string>>;
}

/** What one whole process took. */
export interface RunTime {
  readonly wallMs: number;
  /** CPU time of all cores. */
  readonly busyMs: number;
}

/**
 * Runs all programs in turn, round by round, so that noise affects all alike. Returns the runs of each program. Throws if
 * one fails.
 */
export async function measureInTurn(
  programs: readonly Program[],
  { runs, warmUps, env }: Measuring,
): Promise<RunTime[][]> {
  const times: RunTime[][] = programs.map(() => []);
  for (let round = -warmUps; round < runs; round++) {
    for (const [index, program] of programs.entries()) {
      const time = await timeRun(program, env);
      if (round >= 0) times[index]?.push(time);
    }
  }
  return times;
}

/** GNU time rounds to hundredths of a second, bash does not. The program has standard error as its own. */
const timed = 'TIMEFORMAT="%3R %3U %3S"; time "$@" 2>&3';

/** Times one run. Throws if it fails. */
export async function timeRun(program: Program, env: Measuring['env']): Promise<RunTime> {
  const { name, file = process.execPath, args, prints } = program;
  const child = spawn('bash', ['-c', timed, 'bash', file, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env, ...program.env },
    stdio: ['ignore', 'pipe', 'pipe', 2],
  });
  const [printed, told, [code]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    once(child, 'close'),
  ]);
  const [wall = Number.NaN, user = Number.NaN, system = Number.NaN] = told.trim().split(' ').map(Number);
  if (code === 0 && prints.test(printed)) return { wallMs: wall * 1000, busyMs: (user + system) * 1000 };
  throw new Error(`${name} failed: exit code ${code}, printed "${printed.slice(0, 80)}".`);
}
