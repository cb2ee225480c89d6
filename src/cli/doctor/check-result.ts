import { Chalk } from 'chalk';
import { SalonError } from '../../contract/errors.ts';
import { cleanText } from '../../text/clean-text.ts';
import { countOf } from '../../text/numbers.ts';
import { toExitCode } from '../messages/exit-codes.ts';
import { wrapText } from '../output/fit-text.ts';

/** The result of one check. */
export interface Check {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'problem' | 'skipped';
  readonly message: string;
  /** What to do. */
  readonly hint?: string | undefined;
  /** For programs. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** Of a problem. */
  readonly exitCode?: number;
}

type Details = Check['details'];

export function passed(check: string, message: string, details?: Details): Check {
  return { check, status: 'ok', message, details };
}

export function warned(
  check: string,
  message: string,
  { hint, details }: Pick<Check, 'hint' | 'details'>,
): Check {
  return { check, status: 'warning', message, hint, details };
}

export function skipped(check: string, message: string): Check {
  return { check, status: 'skipped', message };
}

/** A problem with the message, hint and exit code of an error. */
export function failed(check: string, error: SalonError, details?: Details): Check {
  return {
    check,
    status: 'problem',
    message: error.message,
    hint: error.hint,
    details: { code: error.code, ...error.members, ...details },
    exitCode: toExitCode(error),
  };
}

/** Runs a check whose refusals are its result. Any other error is a bug. */
export async function attempt(check: string, act: () => Promise<Check>): Promise<Check> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof SalonError) || error.code === 'bug' || error.code === 'interrupted') throw error;
    return failed(check, error);
  }
}

const marks = { ok: '✓', warning: '!', problem: '✗', skipped: '–' } as const;
const indent = 14;

/** A check for people: one line, and below it what to do. `plain`, for screen readers, has words instead of marks. */
export function renderCheck(
  check: Check,
  { width, color, plain }: { width: number; color: boolean; plain: boolean },
): string {
  const { status, message, hint } = check;
  const sentences = (hint === undefined ? [message] : [message, hint]).map(cleanText);
  if (plain) {
    const ended = sentences.map((sentence) => (/[.?!]$/.test(sentence) ? sentence : `${sentence}.`));
    return `${status}: ${check.check}: ${ended.join(' ')}\n`;
  }
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const paint = { ok: chalk.green, warning: chalk.yellow, problem: chalk.red, skipped: chalk.dim }[status];
  const lines = sentences.flatMap((sentence) => wrapText(sentence, Math.max(20, width - indent)));
  const head = `${paint(marks[status])} ${check.check.padEnd(indent - 3)} `;
  return lines.map((line, index) => `${index === 0 ? head : ' '.repeat(indent)}${line}\n`).join('');
}

/** What the checks come to. */
export function renderCheckSummary(checks: readonly Check[]): string {
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length;
  const found = (['problem', 'warning'] as const).filter((status) => count(status) > 0);
  if (found.length > 0) return `${found.map((status) => countOf(count(status), `${status}s`)).join(', ')}.`;
  return count('skipped') === 0 ? 'Everything works.' : 'Everything that was checked works.';
}
