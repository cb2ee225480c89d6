import { isDeepStrictEqual } from 'node:util';
import type { RunResult } from '../support/io.ts';
import type { Row } from '../support/servers/client-store.ts';

/**
 * What an operation did on a server: `works` is equal to the truth in all fields; `refused` is an error with nothing on
 * standard output and nothing changed on the server; `said` is a result that differs, with a warning and, under
 * `--strict`, exit code 3. Everything else is `wrong`.
 */
export type Outcome =
  | { readonly result: 'works' }
  | { readonly result: 'refused' | 'said' | 'wrong'; readonly reason: string };

export const works: Outcome = { result: 'works' };

export function wrong(reason: string, ran?: RunResult): Outcome {
  const output =
    ran === undefined ? '' : `\nexit ${ran.exitCode}\n${ran.stdout}${ran.stderr}`.slice(0, 2_000);
  return { result: 'wrong', reason: reason + output };
}

/** The least good of several outcomes. */
export function worst(outcomes: readonly Outcome[]): Outcome {
  const order = ['wrong', 'refused', 'said', 'works'];
  return (
    outcomes.toSorted((one, other) => order.indexOf(one.result) - order.indexOf(other.result))[0] ?? works
  );
}

export interface Check {
  /** What differs from the truth after a success; undefined if nothing does. */
  readonly difference: (after: readonly Row[]) => string | undefined;
  /** The records before, and those now: a refused command changes none. */
  readonly before: readonly Row[];
  readonly after: readonly Row[];
}

/** Judges a run by its exit code, its output and the server's records. */
export function judge(ran: RunResult, { difference, before, after }: Check): Outcome {
  if (ran.exitCode === 0) {
    const found = difference(after);
    return found === undefined ? works : wrong(found, ran);
  }
  return judgeRefusal(ran, isDeepStrictEqual(before, after));
}

/** Exit codes of a refusal; the others are success, "partly", "changes pending", a bug and an interrupt. */
const refusals = [1, 2, 4, 5, 6, 7, 8, 10];

export function judgeRefusal(ran: RunResult, isUnchanged: boolean): Outcome {
  if (isUnchanged && isEveryRowRefused(ran)) {
    return { result: 'refused', reason: 'The report says that no row was done.' };
  }
  const message = readErrorMessage(ran.stderr);
  if (!refusals.includes(ran.exitCode) || message === undefined) return wrong('no clear error', ran);
  if (ran.stdout !== '') return wrong('output beside an error', ran);
  return isUnchanged ? { result: 'refused', reason: message } : wrong('changed although it was refused', ran);
}

/** The message of an error, for people or as JSON. */
function readErrorMessage(stderr: string): string | undefined {
  const text = /^error: (.+)$/m.exec(stderr)?.[1];
  const json = /^\{"code":.*\}$/m.exec(stderr)?.[0];
  return text ?? (json === undefined ? undefined : JSON.parse(json).message);
}

/** Whether the report of a bulk edit says that nothing was done. */
function isEveryRowRefused({ exitCode, stdout }: RunResult): boolean {
  const { done, failed, refused } = exitCode === 3 && stdout.startsWith('{') ? JSON.parse(stdout) : {};
  return done === 0 && failed + refused > 0;
}
