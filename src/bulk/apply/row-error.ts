import { mayHaveHappened } from '../../client/http/retry.ts';
import { SalonError, type SalonErrorCode } from '../../contract/errors.ts';
import type { RowError, RowOutcome } from '../edit/edit-entry.ts';

/** Errors that every other row would meet as well: they end the job, which can be gone on with. */
const endings: ReadonlySet<SalonErrorCode> = new Set([
  'interrupted',
  'connection_failed',
  'service_unavailable',
  'rate_limited',
  'authentication_required',
  'invalid_token',
  'not_signed_in',
  'insufficient_scope',
  'permission_denied',
  'confirmation_required',
  'redirect_refused',
  'not_supported',
  'version_retired',
  'unsupported_api_version',
  'method_not_allowed',
  'output_failed',
]);

export function endsJob(error: SalonError): boolean {
  return endings.has(error.code);
}

/** Whether a row whose request ended so may have been carried out. */
export function leavesDoubt(error: SalonError): boolean {
  const unclear: readonly SalonErrorCode[] = ['result_unknown', 'unexpected_response', 'response_too_large'];
  return mayHaveHappened(error) || unclear.includes(error.code) || error.members['in_doubt'] === true;
}

/** Why it is not known what became of a request, where that is what an error says. */
export function toCause(error: SalonError): SalonError {
  return error.code === 'result_unknown' && error.cause instanceof SalonError ? error.cause : error;
}

export function toRowError({ code, message, status, requestId }: SalonError): RowError {
  return { code, message, status: status ?? null, requestId: requestId ?? null };
}

export function noSuchRecord(id: string): RowOutcome {
  const message = `There is no record ${id} any more.`;
  return { what: 'failed', id, error: { code: 'not_found', message, status: 404, requestId: null } };
}

/** Nobody can say what became of a row. */
export function doubtful(message: string, id: string | null = null): RowOutcome {
  const error: RowError = { code: 'result_unknown', message, status: null, requestId: null };
  return { what: 'doubtful', id, error };
}
