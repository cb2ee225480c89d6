import type { ProblemCode, Violation } from '../../contract/errors.ts';

/** What a page says of a problem, beside its title and its hint. */
interface ProblemText {
  /** When it is answered, in a sentence or two. */
  readonly meaning: string;
  /** What whoever reads the page can do about it. */
  readonly remedy: string;
  /** What one such problem says of its own: its detail, broken rules, and members that only this code has. */
  readonly example: {
    readonly detail: string;
    readonly errors?: readonly Violation[];
    readonly [member: string]: unknown;
  };
}

const appointmentId = 'apt_01j9zq3v5m8w2x4y6z7a9b1c3d';

/** The compiler asks for a text where the contract has a new code. */
export const problemTexts: Readonly<Record<ProblemCode, ProblemText>> = {
  malformed_json: {
    meaning: 'The body could not be read as JSON in UTF-8, so nothing of it was looked at.',
    remedy: 'Look at the place that detail names: a comma too many and a quote too few are the usual finds.',
    example: { detail: 'Unexpected token } in JSON at position 24.' },
  },
  invalid_parameter: {
    meaning:
      'The address has a query parameter that the operation does not know, or a value that cannot be. A filter is never passed over silently.',
    remedy: 'Correct or drop each parameter that errors names. The reference lists those there are.',
    example: {
      detail: 'A parameter is not right.',
      errors: [{ parameter: 'per_page', code: 'out_of_range', detail: 'per_page must be at least 1.' }],
    },
  },
  unsupported_api_version: {
    meaning: 'The path asks for a version of the interface that does not exist.',
    remedy: 'Begin the path with /api/v1 or /v1.',
    example: { detail: 'There is no version v2 of this interface.' },
  },
  authentication_required: {
    meaning:
      'The request came without a key, or with an Authorization header that is not of the Bearer kind.',
    remedy: 'Send the key with each request: Authorization: Bearer slk_…',
    example: { detail: 'The request carries no Authorization header.' },
  },
  invalid_token: {
    meaning: 'There is a key, but it is not one of this service: mistyped, expired or revoked.',
    remedy: 'Compare it with the one you were given. If it was revoked, ask the salon for another.',
    example: { detail: 'The key is not known here.' },
  },
  insufficient_scope: {
    meaning: 'The key was made for fewer purposes than its role allows, and this is not one of them.',
    remedy: 'Use a key that has the scope named. Scopes cannot be added to a key later.',
    example: { detail: 'The key lacks the scope clients:write.', scope: 'clients:write' },
  },
  permission_denied: {
    meaning: 'The key is good, but the role of whoever it belongs to may not do this.',
    remedy: 'Ask somebody who has the role named, or use a key of that role.',
    example: { detail: 'The role receptionist may not remove clients.', required_role: 'manager' },
  },
  not_found: {
    meaning:
      'There is nothing at this address, or no record with this identifier in the account of the key. Records of other accounts are answered so too.',
    remedy: 'Check the identifier, that it belongs to this account, and that the record was not removed.',
    example: {
      detail: 'There is no client with this identifier.',
      resource: 'client',
      id: 'cli_01j9zq3v5m8w2x4y6z7a9b1c3d',
    },
  },
  method_not_allowed: {
    meaning: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods that the Allow header lists.',
    example: { detail: '/api/v1/clients has no method DELETE.' },
  },
  appointment_conflict: {
    meaning:
      'The stylist has another appointment in this time. Cancelled ones and no-shows are in nobody’s way, and one may begin when another ends.',
    remedy: 'Choose another time or stylist, or send allow_overlap: true where the overlap is meant.',
    example: {
      detail: 'The stylist has another appointment in this time.',
      conflicting_appointment_ids: [appointmentId],
    },
  },
  invalid_status_transition: {
    meaning: 'The status of a record changes step by step, and there is no step from this one to that.',
    remedy: 'Take one of the steps in allowed_statuses. What is completed or cancelled stays so.',
    example: {
      detail: 'An appointment that is in_service cannot become pending.',
      current_status: 'in_service',
      allowed_statuses: ['completed', 'arrived'],
    },
  },
  client_has_upcoming_appointments: {
    meaning: 'The client is still expected, and a removal would erase who it is that comes.',
    remedy: 'Cancel the appointments named, or repeat the removal with ?force=true, which cancels them.',
    example: { detail: 'The client has upcoming appointments.', appointment_ids: [appointmentId] },
  },
  idempotency_key_in_use: {
    meaning: 'A request with the same Idempotency-Key has begun and is not done yet.',
    remedy: 'Wait for as long as Retry-After says and send it again: it gets the answer of the first one.',
    example: { detail: 'A request with this key is still running.' },
  },
  version_retired: {
    meaning: 'This version of the interface was announced to end, and has ended.',
    remedy: 'Move to the version that successor names. The changelog says what is different.',
    example: { detail: 'Version v1 has ended.', successor: 'v2' },
  },
  precondition_failed: {
    meaning:
      'The change was bound to the record as you knew it, by If-Match, and somebody has changed it since. Nothing was written.',
    remedy: 'Read the record again, look at what is different, and repeat the change with its new ETag.',
    example: { detail: 'The client has changed since.', etag: '"2026-11-21T09:30:00.000Z"' },
  },
  payload_too_large: {
    meaning: 'The body is larger than 1 MiB, and was not read to its end.',
    remedy: 'Send less at once: one record a request.',
    example: { detail: 'The body is larger than 1 MiB.' },
  },
  unsupported_media_type: {
    meaning: 'The body is announced as something else than JSON in UTF-8, or is compressed.',
    remedy: 'Send it as it is, with Content-Type: application/json.',
    example: { detail: 'The body must be application/json in UTF-8, not text/plain.' },
  },
  validation_failed: {
    meaning: 'The body is JSON, but breaks rules of the operation. Nothing was written.',
    remedy:
      'Correct what errors names: pointer is the place in the body, code the kind of rule, detail what would be right.',
    example: {
      detail: 'The body breaks a rule.',
      errors: [{ pointer: '/duration', code: 'out_of_range', detail: '/duration must be at least 1.' }],
    },
  },
  idempotency_key_reused: {
    meaning:
      'The Idempotency-Key belongs to another request of the last 24 hours, with another body or path.',
    remedy: 'Make a new key for every new request, and keep it only for repeats of that one.',
    example: { detail: 'This key was used for another request.' },
  },
  rate_limited: {
    meaning: 'The account has spent the requests of this hour. All of its keys share them.',
    remedy:
      'Wait for as long as Retry-After says. RateLimit in every answer tells what is left, so that a program can slow down in time.',
    example: { detail: 'The account’s 5000 requests of this hour are used up.' },
  },
  internal_error: {
    meaning:
      'Something went wrong inside the service. It is not your request’s fault, and the cause is in its log.',
    remedy: 'Try again. If it stays, tell whoever runs the service the request_id.',
    example: { detail: 'Something went wrong inside the service. The request id helps to find out what.' },
  },
  service_unavailable: {
    meaning: 'The service runs but cannot answer just now, for instance because its database does not.',
    remedy: 'Try again after as long as Retry-After says.',
    example: { detail: 'The database does not answer.' },
  },
};
