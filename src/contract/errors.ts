import { type Mask, maskValue } from '../text/mask-secrets.ts';

/**
 * Every problem of the service, by code, with its HTTP status and what the reader can do about it. `/problems/<code>`,
 * with dashes, explains each.
 */
export const problems = {
  malformed_json: { status: 400, title: 'Malformed JSON', hint: 'Fix the JSON at the given position.' },
  invalid_parameter: { status: 400, title: 'Invalid parameter', hint: 'Correct or remove the parameter.' },
  use_cursor: {
    status: 400,
    title: 'Cursor required',
    hint: 'Follow the link to the next page, with after, instead of a page number.',
  },
  unsupported_api_version: {
    status: 400,
    title: 'Unsupported API version',
    hint: 'Use the path prefix /api/v1.',
  },
  authentication_required: {
    status: 401,
    title: 'Authentication required',
    hint: 'Sign in: salon auth login',
  },
  invalid_token: {
    status: 401,
    title: 'Invalid API key or access token',
    hint: 'Sign in with a valid key: salon auth login',
  },
  insufficient_scope: { status: 403, title: 'Insufficient scope', hint: 'Use a key with this scope.' },
  permission_denied: {
    status: 403,
    title: 'Permission denied',
    hint: 'Ask someone who may do this, or use another key.',
  },
  address_not_allowed: {
    status: 403,
    title: 'Address not allowed',
    hint: 'Use the key from an allowed address, or create another key.',
  },
  storage_quota_exceeded: { status: 403, title: 'Storage quota exceeded', hint: 'Delete old records.' },
  not_found: { status: 404, title: 'Not found', hint: 'Check the ID and the account.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    hint: 'Use one of the methods in the Allow header.',
  },
  appointment_conflict: {
    status: 409,
    title: 'The stylist is busy',
    hint: 'Choose another time, or book anyway with --allow-overlap.',
  },
  time_blocked: {
    status: 409,
    title: 'The stylist is away, or the salon is closed',
    hint: 'Choose another time, or book anyway with --allow-blocked.',
  },
  bookings_refused: {
    status: 409,
    title: 'Not every appointment can be booked',
    hint: 'Choose other times for those that are refused, or book only the others.',
  },
  salon_settings_missing: {
    status: 409,
    title: 'Settings of the salon are missing',
    hint: 'Set them, e.g.: salon settings set time_zone Europe/Berlin',
  },
  appointment_not_started: {
    status: 409,
    title: 'The appointment is more than a day ahead',
    hint: 'Check the appointment. If the status is right, use --allow-early.',
  },
  invalid_status_transition: {
    status: 409,
    title: 'Status change not allowed',
    hint: 'Choose one of the allowed statuses.',
  },
  client_has_upcoming_appointments: {
    status: 409,
    title: 'The client has upcoming appointments',
    hint: 'Cancel the appointments first, or force the deletion.',
  },
  merge_not_reversible: {
    status: 409,
    title: 'The merge cannot be reversed',
    hint: 'A merge can be reversed for 30 days, and not after the data was erased.',
  },
  idempotency_key_in_use: { status: 409, title: 'Request still in progress', hint: 'Try again in a moment.' },
  version_retired: {
    status: 410,
    title: 'API version retired',
    hint: 'Use the version given in the response.',
  },
  position_expired: {
    status: 410,
    title: 'Position expired',
    hint: 'Take a new position, then read the complete lists again.',
  },
  precondition_failed: {
    status: 412,
    title: 'The record has changed',
    hint: 'Read it again, then repeat the change.',
  },
  salon_settings_changed: {
    status: 412,
    title: 'The settings of the salon have changed',
    hint: 'Repeat the command: it uses the new settings.',
  },
  payload_too_large: { status: 413, title: 'Body too large', hint: 'Send at most 1 MiB.' },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    hint: 'Send Content-Type: application/json.',
  },
  validation_failed: { status: 422, title: 'Validation failed', hint: 'Correct the values and try again.' },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    hint: 'Use a new key for every new request.',
  },
  rate_limited: { status: 429, title: 'Rate limit exceeded', hint: 'Wait until the limit resets.' },
  internal_error: {
    status: 500,
    title: 'Internal error',
    hint: 'Try again. If it keeps failing, report the request ID.',
  },
  service_unavailable: { status: 503, title: 'Service unavailable', hint: 'Try again in a moment.' },
  commit_unknown: {
    status: 503,
    title: 'Change not confirmed',
    hint: 'The change may have been saved. Check the record before you try again.',
  },
} as const satisfies Record<string, { status: number; title: string; hint: string }>;

export type ProblemCode = keyof typeof problems;

/** Codes of errors on the client side and with other servers. The service never sends them. */
export const localCodes = [
  ...['usage', 'not_signed_in', 'connection_failed', 'certificate_rejected', 'proxy_refused'],
  ...['response_truncated', 'timeout', 'unexpected_response', 'response_too_large', 'redirect_refused'],
  ...['page_repeated', 'not_supported', 'result_unknown', 'webhook_refused', 'conflict', 'refused'],
  ...['confirmation_required', 'read_only', 'budget_exceeded', 'output_failed', 'interrupted', 'bug'],
] as const;

export type SalonErrorCode = ProblemCode | (typeof localCodes)[number];

/** An invalid value in a request: a field of the body by its JSON pointer, or a query parameter or header by its name. */
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
  /** The HTTP status of the response, if there was one. */
  status?: number | undefined;
  /** What to do, in one sentence. */
  hint?: string | undefined;
  requestId?: string | undefined;
  /** Whether the same request may succeed later. */
  retryable?: boolean | undefined;
  retryAfterMs?: number | undefined;
  violations?: readonly Violation[] | undefined;
  /** Other members of the problem, such as `required_role` or `appointment_ids`. */
  members?: Readonly<Record<string, unknown>> | undefined;
  cause?: unknown;
}

/** The error of the contract: thrown by the service, sent as a problem, rebuilt by the client, printed for people. */
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

type ErrorContext = Pick<SalonErrorOptions, 'hint' | 'violations' | 'members'> & { message?: string };

/** A copy of an error with another message, hint, violations or members. The original becomes its cause. */
export function withContext(
  error: SalonError,
  { message = error.message, ...context }: ErrorContext,
): SalonError {
  return new SalonError(error.code, message, { ...error, ...context, cause: error });
}

/** An error whose texts went through a mask. Its cause is left out, because it may quote the same text. */
export function maskError(error: SalonError, mask: Mask): SalonError {
  const { message, hint, requestId, violations, members } = error;
  const texts = { message, hint, requestId, violations, members };
  const masked = maskValue(texts, mask) as typeof texts;
  if (JSON.stringify(masked) === JSON.stringify(texts)) return error;
  return new SalonError(error.code, masked.message, { ...error, ...masked });
}

/** Whether a server does not offer something, or not to this API key. */
export function isUnavailable(thrown: unknown): thrown is SalonError {
  return thrown instanceof SalonError && unavailable.includes(thrown.code);
}

const unavailable: readonly string[] = ['not_supported', 'insufficient_scope', 'permission_denied'];

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code);
}

/** A problem document: RFC 9457 with the members of this contract. */
export interface Problem extends Record<string, unknown> {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  request_id: string;
  errors?: readonly Violation[];
}

/** What a server, proxy or receiver did to cause `isUnaskedContinue`. */
export const unaskedContinue = 'sent 100 Continue, which the request did not ask for';

/**
 * Whether undici ended a connection because of a 100 Continue, which RFC 9110, 15.2, wants read past. It has neither a
 * code of its own for this nor an option.
 */
export function isUnaskedContinue(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown)) return false;
  return thrown.code === 'UND_ERR_SOCKET' && thrown.message === 'bad response';
}
