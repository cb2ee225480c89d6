import { SalonError } from '../../contract/errors.ts';
import { toExitCode } from '../messages/exit-codes.ts';

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
