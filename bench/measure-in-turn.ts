import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A program that runs under this very Node. */
export interface Program {
  readonly name: string;
  readonly args: readonly string[];
  /** What its output looks like when it did its work: a start that fails is quick and worth nothing. */
  readonly prints: RegExp;
  /** How many times the first program's median it may take; printed beside, never enforced. */
  readonly limit?: number;
}

export interface Measuring {
  readonly runs: number;
  /** Runs before the first that counts: they fill the compile cache and the file cache. */
  readonly warmUps: number;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Runs every program once, then every one again, and so on: what else the machine does hits all alike.
 * Answers the milliseconds of each run, program by program. Throws when a run does not do its work.
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

/** Milliseconds of one run. Throws when it does not do its work. */
export async function timeRun({ name, args, prints }: Program, env: Measuring['env']): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const elapsedMs = performance.now() - startedAt;
  if (code === 0 && prints.test(printed)) return elapsedMs;
  throw new Error(`${name} did not do its work: exit code ${code}, printed "${printed.slice(0, 80)}".`);
}
