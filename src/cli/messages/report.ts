import { SalonError, type SalonErrorCode } from '../../contract/errors.ts';
import { type Interrupt, isClosedPipe } from '../io.ts';
import { cleanText } from '../output/clean-text.ts';
import { toErrorLines } from './violation-lines.ts';

/** How an error is told: to a person, or to a program that asked for JSON. */
export interface ReportStyle {
  readonly json: boolean;
  /** With --debug a bug shows its stack. */
  readonly debug: boolean;
}

/** Anything that was thrown, as the one error the command line knows. */
export function toSalonError(thrown: unknown, interrupt: Interrupt | undefined): SalonError {
  if (thrown instanceof SalonError && thrown.code !== 'interrupted') return thrown;
  if (interrupt !== undefined) {
    const { message = 'Interrupted.', hint } = thrown instanceof SalonError ? thrown : {};
    return new SalonError('interrupted', message, { hint, members: { signal: interrupt }, cause: thrown });
  }
  if (thrown instanceof SalonError) return thrown;
  if (isWriteFailure(thrown)) {
    return new SalonError('output_failed', `The output could not be written: ${thrown.message}`, {
      hint: 'Make room, or write somewhere else.',
      cause: thrown,
    });
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new SalonError('bug', `This is a bug in salon: ${reason}`, {
    hint: 'Run it again with --debug and report what it prints.',
    cause: thrown,
  });
}

/** The error as text for standard error, ending in a line break. */
export function renderError(error: SalonError, style: ReportStyle): string {
  const stack = style.debug && error.code === 'bug' ? `${stackOf(error)}\n` : '';
  return stack + (style.json ? `${JSON.stringify(toJson(error))}\n` : renderForPeople(error));
}

/** Codes that got a new name: scripts still find the former one under `code` in this release. */
const formerCodes: Readonly<Partial<Record<SalonErrorCode, string>>> = {
  response_truncated: 'answer_cut',
  unexpected_response: 'unexpected_answer',
  response_too_large: 'answer_too_large',
  not_supported: 'endpoint_missing',
  confirmation_required: 'consent_required',
};

/** The object of JSON mode. Every error has all of these members. */
function toJson(error: SalonError): object {
  // The keys of a thousand rows, for programs that call the client.
  const { resume_at, ...members } = error.members;
  return {
    code: formerCodes[error.code] ?? error.code,
    ...(error.code in formerCodes ? { new_code: error.code } : {}),
    message: error.message,
    hint: error.hint ?? null,
    status: error.status ?? null,
    request_id: error.requestId ?? null,
    retryable: error.retryable,
    retry_after_ms: error.retryAfterMs ?? null,
    ...(error.violations.length > 0 ? { errors: error.violations } : {}),
    ...members,
  };
}

function renderForPeople(error: SalonError): string {
  const [message, ...violations] = toErrorLines(error);
  const lines = [`error: ${message}`, ...violations];
  if (error.requestId) lines.push(`  request id: ${error.requestId}`);
  if (error.hint) lines.push(`  ${error.hint}`);
  return `${lines.flatMap((line) => line.split('\n').map(cleanText)).join('\n')}\n`;
}

function isWriteFailure(thrown: unknown): thrown is Error {
  const codes = ['ENOSPC', 'EIO', 'EDQUOT', 'EFBIG'];
  return (
    thrown instanceof Error &&
    'code' in thrown &&
    codes.includes(String(thrown.code)) &&
    !isClosedPipe(thrown)
  );
}

function stackOf(error: SalonError): string {
  return error.cause instanceof Error ? String(error.cause.stack) : String(error.stack);
}
