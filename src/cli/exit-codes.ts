import type { SalonError, SalonErrorCode } from '../contract/errors.ts';

/** What a command's exit code tells a script: printed by `salon help exit-codes`, stated once. */
export const exitCodes = {
  done: { code: 0, meaning: 'done' },
  refused: { code: 1, meaning: 'the service refused it, or answered what cannot be understood' },
  usage: { code: 2, meaning: 'the command is not right; nothing was sent' },
  partly: { code: 3, meaning: 'a bulk edit or an export finished partly; the report says which rows' },
  notSignedIn: { code: 4, meaning: 'not signed in, or the key was refused (401)' },
  temporary: {
    code: 5,
    meaning: 'network, cut or missing answer, 5xx, limit reached: trying again may help',
  },
  notFound: { code: 6, meaning: 'not found (404)' },
  conflict: { code: 7, meaning: 'conflict with what is there (409, 412)' },
  consent: {
    code: 8,
    meaning: 'consent is needed and there is nobody to ask, or a budget such as --max-changes is reached',
  },
  pending: { code: 9, meaning: 'changes are pending (only with --exit-code)' },
  forbidden: { code: 10, meaning: 'the key is good but may not do this (403)' },
  bug: { code: 70, meaning: 'a bug in salon' },
  interrupted: { code: 130, meaning: 'interrupted (Ctrl-C)' },
  terminated: { code: 143, meaning: 'terminated' },
} as const;

const codeOf: Record<SalonErrorCode, number> = {
  malformed_json: exitCodes.refused.code,
  invalid_parameter: exitCodes.refused.code,
  unsupported_api_version: exitCodes.refused.code,
  authentication_required: exitCodes.notSignedIn.code,
  invalid_token: exitCodes.notSignedIn.code,
  insufficient_scope: exitCodes.forbidden.code,
  permission_denied: exitCodes.forbidden.code,
  not_found: exitCodes.notFound.code,
  method_not_allowed: exitCodes.refused.code,
  appointment_conflict: exitCodes.conflict.code,
  invalid_status_transition: exitCodes.conflict.code,
  client_has_upcoming_appointments: exitCodes.conflict.code,
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
  usage: exitCodes.usage.code,
  not_signed_in: exitCodes.notSignedIn.code,
  connection_failed: exitCodes.temporary.code,
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
  confirmation_required: exitCodes.consent.code,
  budget_exceeded: exitCodes.consent.code,
  output_failed: exitCodes.temporary.code,
  interrupted: exitCodes.interrupted.code,
  bug: exitCodes.bug.code,
};

/** The exit code of an error: by its code alone, so that every place that throws agrees. */
export function toExitCode(error: SalonError): number {
  if (error.code === 'interrupted' && error.members['signal'] === 'SIGTERM') return exitCodes.terminated.code;
  return codeOf[error.code];
}

/** The table as `salon help exit-codes` prints it. */
export function renderExitCodes(): string {
  const rows = Object.values(exitCodes).map(
    ({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`,
  );
  return `Exit codes of every salon command:\n\n${rows.join('\n')}\n\nA closed pipe, as in "salon clients list | head", is success.\n`;
}
