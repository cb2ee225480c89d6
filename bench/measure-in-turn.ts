import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A program that runs under this Node. */
export interface Program {
  readonly name: string;
  readonly args: readonly string[];
  /** What its output looks like on success; a failed start must not count. */
  readonly prints: RegExp;
  /** Goal, as a multiple of the first program's median; printed, not enforced. */
  readonly limit?: number;
}

export interface Measuring {
  readonly runs: number;
  /** Uncounted runs, which fill the compile cache and the file cache. */
  readonly warmUps: number;
  /** The whole environment. */
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
export async function timeRun({ name, args, prints }: Program, env: Measuring['env']): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const elapsedMs = performance.now() - startedAt;
  if (code === 0 && prints.test(printed)) return elapsedMs;
  throw new Error(`${name}failed: exit code ${code}, printed "${printed.slice(0, 80)}".`);
}
