import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

/**
 * Runs all programs in turn, round by round, so that noise affects all alike.
 * Returns the milliseconds of each run by program. Throws if a run fails.
 */
export async function measureInTurn(
  programs: readonly Program[],
  { runs, warmUps, env }: Measuring,
): Promise<number[][]> {
  const timesMs: number[][] = programs.map(() => []);
  for (let round = -warmUps; round < runs; round++) {
    for (const [index, program] of programs.entries()) {
      const elapsedMs = await timeRun(program, env);
      if (round >= 0) timesMs[index]?.push(elapsedMs);
    }
  }
  return timesMs;
}

/** Milliseconds of one run. Throws if it fails. */
export async function timeRun(program: Program, env: Measuring['env']): Promise<number> {
  const { name, file = process.execPath, args, prints } = program;
  const startedAt = performance.now();
  const child = spawn(file, args, {
    env: { ...env, ...program.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const elapsedMs = performance.now() - startedAt;
  if (code === 0 && prints.test(printed)) return elapsedMs;
  throw new Error(`${name} failed: exit code ${code}, printed "${printed.slice(0, 80)}".`);
}
