/** What a code means on the wire (`status`) and what a person can do about it (`hint`). */
interface CatalogueEntry {
  readonly status: number;
  readonly title: string;
  readonly hint: string;
}

/** Every problem the service answers with, by code. `/problems/<code>` explains each; dashes for underscores. */
export const problems = {
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    hint: 'Check the JSON near the place named.',
  },
  invalid_parameter: {
    status: 400,
    title: 'A parameter is not right',
    hint: 'Correct or drop the parameter named.',
  },
  unsupported_api_version: { status: 400, title: 'No such version', hint: 'Use the path prefix /api/v1.' },
  authentication_required: {
    status: 401,
    title: 'A credential is needed',
    hint: 'Sign in: salon auth login',
  },
  invalid_token: {
    status: 401,
    title: 'The credential is not accepted',
    hint: 'Sign in with a valid key: salon auth login',
  },
  insufficient_scope: {
    status: 403,
    title: 'The credential lacks a scope',
    hint: 'Use a key that has the scope named.',
  },
  permission_denied: {
    status: 403,
    title: 'The role may not do this',
    hint: 'Ask somebody with the role named.',
  },
  not_found: { status: 404, title: 'There is no such thing', hint: 'Check the identifier and the account.' },
  method_not_allowed: {
    status: 405,
    title: 'This path has no such method',
    hint: 'The Allow header lists what it has.',
  },
  appointment_conflict: {
    status: 409,
    title: 'The stylist is taken',
    hint: 'Choose another time, or book all the same with --allow-overlap.',
  },
  invalid_status_transition: {
    status: 409,
    title: 'The status cannot change so',
    hint: 'Keep to what is still allowed.',
  },
  client_has_upcoming_appointments: {
    status: 409,
    title: 'The client has upcoming appointments',
    hint: 'Cancel them first, or force the removal.',
  },
  idempotency_key_in_use: {
    status: 409,
    title: 'A request with this key is still running',
    hint: 'Send it again in a moment.',
  },
  version_retired: { status: 410, title: 'This version has ended', hint: 'Move to the version named.' },
  precondition_failed: {
    status: 412,
    title: 'The record has changed',
    hint: 'Read it again and repeat the change.',
  },
  payload_too_large: { status: 413, title: 'The body is too large', hint: 'Send at most 1 MiB.' },
  unsupported_media_type: {
    status: 415,
    title: 'The body is not JSON',
    hint: 'Send Content-Type: application/json.',
  },
  validation_failed: { status: 422, title: 'The body breaks a rule', hint: 'Correct the fields named.' },
  idempotency_key_reused: {
    status: 422,
    title: 'The key belongs to another request',
    hint: 'Send every new request with a key of its own.',
  },
  rate_limited: {
    status: 429,
    title: 'The hour’s requests are used up',
    hint: 'Wait until the window ends.',
  },
  internal_error: {
    status: 500,
    title: 'The service failed',
    hint: 'Try again; if it stays, report the request id.',
  },
  service_unavailable: { status: 503, title: 'The service is not ready', hint: 'Try again in a moment.' },
} as const satisfies Record<string, CatalogueEntry>;

export type ProblemCode = keyof typeof problems;

/** What goes wrong on the caller's side, or with a server that speaks another dialect: never sent by the service. */
export const localCodes = [
  'usage',
  'not_signed_in',
  'connection_failed',
  'response_truncated',
  'timeout',
  'unexpected_response',
  'response_too_large',
  'redirect_refused',
  'page_repeated',
  'not_supported',
  'result_unknown',
  'webhook_refused',
  'conflict',
  'refused',
  'confirmation_required',
  'budget_exceeded',
  'output_failed',
  'interrupted',
  'bug',
] as const;

export type SalonErrorCode = ProblemCode | (typeof localCodes)[number];

/** One rule that a request broke: a place in the body (JSON pointer), or a query parameter or header by its name. */
export interface Violation {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code:
    | 'required'
    | 'invalid_format'
    | 'out_of_range'
    | 'unknown_field'
    | 'not_found'
    | 'inactive'
    | (string & {});
  readonly detail: string;
}

export interface SalonErrorOptions {
  /** HTTP status, where an answer stands behind the error. */
  status?: number | undefined;
  /** The next step, in one sentence. */
  hint?: string | undefined;
  requestId?: string | undefined;
  /** Whether the same call may succeed later, unchanged. */
  retryable?: boolean | undefined;
  retryAfterMs?: number | undefined;
  violations?: readonly Violation[] | undefined;
  /** Further members of the problem, such as `required_role` or `appointment_ids`. */
  members?: Readonly<Record<string, unknown>> | undefined;
  cause?: unknown;
}

/** The one error of the contract: thrown by the service, sent as a problem, rebuilt by the client, reported to people. */
export class SalonError extends Error {
  override readonly name = 'SalonError';
  readonly code: SalonErrorCode;
  readonly status: number | undefined;
  readonly hint: string | undefined;
  readonly requestId: string | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly violations: readonly Violation[];
  readonly members: Readonly<Record<string, unknown>>;

  constructor(code: SalonErrorCode, message: string, options: SalonErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const known = isProblemCode(code) ? problems[code] : undefined;
    this.code = code;
    this.status = options.status ?? known?.status;
    this.hint = options.hint ?? known?.hint;
    this.requestId = options.requestId;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.violations = options.violations ?? [];
    this.members = options.members ?? {};
  }
}

/** What of an error may be told otherwise on its way up; the rest stays as it was. */
export type ErrorContext = Pick<SalonErrorOptions, 'hint' | 'violations' | 'members'> & { message?: string };

/** The same error in other words, with the one it was as its cause. */
export function withContext(
  error: SalonError,
  { message = error.message, ...told }: ErrorContext,
): SalonError {
  const { code, status, hint, requestId, retryable, retryAfterMs, violations, members } = error;
  const kept = { status, hint, requestId, retryable, retryAfterMs, violations, members };
  return new SalonError(code, message, { ...kept, ...told, cause: error });
}

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code);
}

/** A problem as it travels: RFC 9457 with this contract's members. */
export interface Problem extends Record<string, unknown> {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  request_id: string;
  errors?: readonly Violation[];
}
