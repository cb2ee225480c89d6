import type { SalonError, SalonErrorCode } from '../../contract/errors.ts';

/** The one table of exit codes, printed by `salon help exit-codes`. */
export const exitCodes = {
  done: { code: 0, meaning: 'done' },
  refused: { code: 1, meaning: 'the service refused the request, or its response is invalid' },
  usage: { code: 2, meaning: 'usage or validation error; nothing was sent' },
  partly: { code: 3, meaning: 'some rows of a bulk edit or export failed or are missing; see the report' },
  notSignedIn: { code: 4, meaning: 'not signed in, or the API key was refused (401)' },
  temporary: {
    code: 5,
    meaning: 'temporary failure: network, truncated or missing response, 5xx, rate limit',
  },
  notFound: { code: 6, meaning: 'not found (404)' },
  conflict: { code: 7, meaning: 'conflict with the current state (409, 412)' },
  confirmation: {
    code: 8,
    meaning: 'not confirmed, or a budget such as --max-changes would be exceeded',
  },
  pending: { code: 9, meaning: 'changes are pending (only with --exit-code)' },
  forbidden: { code: 10, meaning: 'the API key lacks permission (403)' },
  bug: { code: 70, meaning: 'a bug in salon' },
  interrupted: { code: 130, meaning: 'interrupted (Ctrl-C)' },
  terminated: { code: 143, meaning: 'terminated' },
} as const;

const codeOf: Record<SalonErrorCode, number> = {
  malformed_json: exitCodes.refused.code,
  invalid_parameter: exitCodes.refused.code,
  use_cursor: exitCodes.refused.code,
  unsupported_api_version: exitCodes.refused.code,
  authentication_required: exitCodes.notSignedIn.code,
  invalid_token: exitCodes.notSignedIn.code,
  insufficient_scope: exitCodes.forbidden.code,
  permission_denied: exitCodes.forbidden.code,
  address_not_allowed: exitCodes.forbidden.code,
  storage_quota_exceeded: exitCodes.forbidden.code,
  not_found: exitCodes.notFound.code,
  method_not_allowed: exitCodes.refused.code,
  appointment_conflict: exitCodes.conflict.code,
  time_blocked: exitCodes.conflict.code,
  salon_settings_missing: exitCodes.conflict.code,
  appointment_not_started: exitCodes.conflict.code,
  invalid_status_transition: exitCodes.conflict.code,
  client_has_upcoming_appointments: exitCodes.conflict.code,
  merge_not_reversible: exitCodes.conflict.code,
  idempotency_key_in_use: exitCodes.temporary.code,
  version_retired: exitCodes.refused.code,
  precondition_failed: exitCodes.conflict.code,
  payload_too_large: exitCodes.refused.code,
  unsupported_media_type: exitCodes.refused.code,
  validation_failed: exitCodes.refused.code,
  idempotency_key_reused: exitCodes.refused.code,
  rate_limited: exitCodes.temporary.code,
  internal_error: exitCodes.temporary.code,
  service_unavailable: exitCodes.temporary.code,
  commit_unknown: exitCodes.temporary.code,
  usage: exitCodes.usage.code,
  not_signed_in: exitCodes.notSignedIn.code,
  connection_failed: exitCodes.temporary.code,
  certificate_rejected: exitCodes.refused.code,
  proxy_refused: exitCodes.refused.code,
  response_truncated: exitCodes.temporary.code,
  timeout: exitCodes.temporary.code,
  result_unknown: exitCodes.temporary.code,
  unexpected_response: exitCodes.refused.code,
  response_too_large: exitCodes.refused.code,
  redirect_refused: exitCodes.refused.code,
  page_repeated: exitCodes.refused.code,
  not_supported: exitCodes.refused.code,
  webhook_refused: exitCodes.refused.code,
  conflict: exitCodes.conflict.code,
  refused: exitCodes.refused.code,
  confirmation_required: exitCodes.confirmation.code,
  budget_exceeded: exitCodes.confirmation.code,
  output_failed: exitCodes.temporary.code,
  interrupted: exitCodes.interrupted.code,
  bug: exitCodes.bug.code,
};

/**
 * Depends on the error code alone, except that SIGTERM and Ctrl-C differ, and that it is a part where some appointments can
 * be read.
 */
export function toExitCode(error: SalonError): number {
  if (error.code === 'interrupted' && error.members['signal'] === 'SIGTERM') return exitCodes.terminated.code;
  if (Number(error.members['unreadable']) > 0 && Number(error.members['read']) > 0)
    return exitCodes.partly.code;
  return codeOf[error.code];
}

export function renderExitCodes(): string {
  const rows = Object.values(exitCodes).map(
    ({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`,
  );
  return `Exit codes of every salon command:\n\n${rows.join('\n')}\n\nA closed pipe, as in "salon clients list | head", is success.\n`;
}
