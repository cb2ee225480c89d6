import { SalonError } from '../../contract/errors.ts';
import { cleanText } from '../../text/clean-text.ts';
import { countOf } from '../../text/numbers.ts';
import { toExitCode } from '../messages/exit-codes.ts';
import { createChalk, renderTextFields, type TextStyle } from '../output/document.ts';

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

/** Checks for people, with what to do. For screen readers they have words instead of marks. */
export function renderChecks(checks: readonly Check[], style: TextStyle): string {
  const chalk = createChalk(style);
  const paints = { ok: chalk.green, warning: chalk.yellow, problem: chalk.red, skipped: chalk.dim };
  const fields = checks.map(({ check, status, message, hint }) => {
    const sentences = [message, hint ?? ''].filter(Boolean).map(cleanText);
    const paintLabel = (label: string) => `${paints[status](label.slice(0, 1))}${label.slice(1)}`;
    if (!style.plain) return { label: `${marks[status]} ${check}`, lines: sentences, paintLabel };
    const ended = sentences.map((sentence) => (/[.?!]$/.test(sentence) ? sentence : `${sentence}.`));
    return { label: `${status}: ${check}`, lines: [ended.join(' ')] };
  });
  return renderTextFields(fields, { ...style, labelWidth: 12 });
}

/** What the checks come to. */
export function renderCheckSummary(checks: readonly Check[]): string {
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length;
  const found = (['problem', 'warning'] as const).filter((status) => count(status) > 0);
  if (found.length > 0) return `${found.map((status) => countOf(count(status), `${status}s`)).join(', ')}.`;
  return count('skipped') === 0 ? 'Everything works.' : 'Everything that was checked works.';
}
