import type { ProblemCode, Violation } from '../../contract/errors.ts';

/** The texts of a problem's page, besides its title. */
interface ProblemText {
  /** When it happens. */
  readonly meaning: string;
  /** What the reader can do about it. */
  readonly remedy: string;
  /** The members of an example problem that depend on the code. */
  readonly example: {
    readonly detail: string;
    readonly errors?: readonly Violation[];
    readonly [member: string]: unknown;
  };
}

const appointmentId = 'apt_01j9zq3v5m8w2x4y6z7a9b1c3d';

export const problemTexts: Readonly<Record<ProblemCode, ProblemText>> = {
  malformed_json: {
    meaning: 'The request body is not valid JSON in UTF-8.',
    remedy: 'Check the position in detail. Common mistakes are an extra comma and a missing quote.',
    example: { detail: 'Unexpected token } in JSON at position 24.' },
  },
  invalid_parameter: {
    meaning:
      'A query parameter is unknown to this endpoint, or its value is invalid. The service never ignores a filter silently.',
    remedy: 'Fix or remove the parameters listed in errors. The API reference lists the valid ones.',
    example: {
      detail: 'per_page must be at least 1.',
      errors: [{ parameter: 'per_page', code: 'out_of_range', detail: 'per_page must be at least 1.' }],
    },
  },
  use_cursor: {
    meaning:
      'The page starts more than 100,000 records into the list. Reading such pages by number gets slower with every page.',
    remedy:
      'Follow rel="next" in the Link header from page to page: its after parameter continues after the last record, at any depth.',
    example: { detail: 'The page starts more than 100,000 records into the list.' },
  },
  unsupported_api_version: {
    meaning: 'The path contains an API version that does not exist.',
    remedy: 'Start the path with /api/v1 or /v1.',
    example: { detail: 'API version v2 does not exist.' },
  },
  authentication_required: {
    meaning: 'The request has no API key, or its Authorization header is not a Bearer header.',
    remedy: 'Send the API key with every request: Authorization: Bearer slk_…',
    example: { detail: 'The request has no Authorization header.' },
  },
  invalid_token: {
    meaning: 'The API key is mistyped, expired, revoked or from another service.',
    remedy: 'Compare it with the key you were given. If it was revoked, ask the salon for a new one.',
    example: { detail: 'Unknown API key.' },
  },
  insufficient_scope: {
    meaning: 'The API key is limited to certain scopes, and this request needs another one.',
    remedy: 'Use a key that has the scope in the response. Scopes cannot be added to an existing key.',
    example: { detail: 'This needs an API key with the scope clients:write.', scope: 'clients:write' },
  },
  permission_denied: {
    meaning: 'The API key is valid, but its role is not allowed to do this.',
    remedy: 'Ask someone with the role in required_role, or use a key with that role.',
    example: {
      detail: 'This needs the role manager. The API key has the role receptionist.',
      required_role: 'manager',
    },
  },
  address_not_allowed: {
    meaning: 'The API key is limited to certain IP addresses, and the request comes from another one.',
    remedy:
      'Use the key from an allowed address, or create a key that allows this one. Behind a proxy, the operator names it with --trusted-proxies.',
    example: { detail: 'This API key may not be used from 203.0.113.7.' },
  },
  storage_quota_exceeded: {
    meaning:
      'The account stores more than its quota: 1 MiB of records, events and audit log for each request of its hourly limit. New records are refused above the quota, and other changes above 110 % of it. Cancellations and deletions are never refused.',
    remedy:
      'Delete records that are no longer needed. Events are deleted after 30 days, and audit log entries after their retention period. The operator can raise the hourly limit of the account.',
    example: {
      detail: 'The account stores 5003 of 5000 MiB.',
      stored_bytes: 5_246_025_728,
      quota_bytes: 5_242_880_000,
    },
  },
  not_found: {
    meaning:
      'There is nothing at this address, or the account has no record with this ID. Records of other accounts are also reported as not found.',
    remedy: 'Check the ID, the account, and whether the record was deleted.',
    example: {
      detail: 'No client with ID cli_01j9zq3v5m8w2x4y6z7a9b1c3d.',
      resource: 'client',
      id: 'cli_01j9zq3v5m8w2x4y6z7a9b1c3d',
    },
  },
  method_not_allowed: {
    meaning: 'The path exists, but does not support this HTTP method.',
    remedy: 'Use one of the methods in the Allow header.',
    example: { detail: '/api/v1/clients does not support DELETE.' },
  },
  appointment_conflict: {
    meaning:
      'The stylist has another appointment at this time. Cancelled appointments and no-shows do not count, and one appointment may start when another ends.',
    remedy: 'Choose another time or stylist, or send allow_overlap: true to book anyway.',
    example: {
      detail: 'Mia is already booked at that time (Ana Costa).',
      conflicting_appointment_ids: [appointmentId],
      stylist_name: 'Mia',
      conflicts: [
        {
          id: appointmentId,
          start_time: '2026-11-24T10:00:00Z',
          duration: 60,
          client_name: 'Ana Costa',
        },
      ],
      free_from: '2026-11-24T11:00:00Z',
    },
  },
  time_blocked: {
    meaning:
      'The stylist is away, or the salon is closed, for some of this time. Viewers and other stylists are not told why.',
    remedy: 'Choose another time or stylist, or send allow_blocked: true to book anyway.',
    example: {
      detail: 'Mia is away at that time (break).',
      blocked_time_ids: ['blk_01j9zq3v5m8w2x4y6z7a9b1c3d'],
      stylist_name: 'Mia',
      blocked_times: [
        {
          id: 'blk_01j9zq3v5m8w2x4y6z7a9b1c3d',
          stylist_id: 'sty_01j9zq3v5m8w2x4y6z7a9b1c3d',
          start_time: '2026-11-24T11:00:00Z',
          end_time: '2026-11-24T12:00:00Z',
          reason: 'break',
          note: null,
        },
      ],
      free_from: '2026-11-24T12:00:00Z',
    },
  },
  salon_settings_missing: {
    meaning:
      'Free time cannot be told without the time zone of the salon, and the hours of every stylist. Prices need its currency.',
    remedy:
      'Set what missing names with PATCH /salon. For free time, every stylist may have working hours instead.',
    example: { detail: 'The salon has no time_zone.', missing: ['time_zone'] },
  },
  appointment_not_started: {
    meaning: 'An appointment more than a day ahead would become arrived, in_service, completed or no_show.',
    remedy: 'Check the ID and the date. Send allow_early: true if the status is right.',
    example: { detail: 'The appointment starts at 2026-11-27T10:00:00Z and cannot be completed yet.' },
  },
  invalid_status_transition: {
    meaning: 'The record cannot change from its current status to the requested one.',
    remedy: 'Use one of the statuses in allowed_statuses. Completed and cancelled are final.',
    example: {
      detail: 'The appointment is in_service and cannot become pending. Allowed: completed, arrived.',
      current_status: 'in_service',
      allowed_statuses: ['completed', 'arrived'],
    },
  },
  client_has_upcoming_appointments: {
    meaning: 'A client with upcoming appointments is deleted only when forced.',
    remedy: 'Cancel the appointments listed, or repeat the request with ?force=true, which cancels them.',
    example: {
      detail: 'Ana Costa has an upcoming appointment.',
      appointment_ids: [appointmentId],
      client_name: 'Ana Costa',
      appointments: [
        { id: appointmentId, start_time: '2026-11-24T10:00:00Z', service: 'Cut', stylist_name: 'Mia' },
      ],
    },
  },
  merge_not_reversible: {
    meaning:
      'No client was merged into this one in the last 30 days, the merge was reversed before, or the data was erased.',
    remedy: 'Add the client again, and move the appointments one by one.',
    example: { detail: 'No merge into this client can be reversed.' },
  },
  idempotency_key_in_use: {
    meaning: 'Another request with the same Idempotency-Key is still in progress.',
    remedy:
      'Wait for the time in Retry-After, then send the request again to get the response to the first one.',
    example: { detail: 'A request with this idempotency key is still running.' },
  },
  version_retired: {
    meaning: 'This API version has reached its announced end of life.',
    remedy: 'Switch to the version in successor. The changelog lists the differences.',
    example: { detail: 'API version v1 has been retired.', successor: 'v2' },
  },
  precondition_failed: {
    meaning:
      'The request has an If-Match header, and the record has changed since you read it. Nothing was written.',
    remedy: 'Read the record again, compare it, and repeat the change with its new ETag.',
    example: {
      detail: 'The record was changed at 2026-11-21T09:30:00.000Z. Read it again before you change it.',
      etag: '"2026-11-21T09:30:00.000Z"',
    },
  },
  salon_settings_changed: {
    meaning:
      'The request names a version of the salon settings, in Salon-Settings-Version, that is not the current one. Nothing was written.',
    remedy:
      'Read GET /salon, check what follows from the settings, and repeat the request with the new version.',
    example: { detail: 'The settings of the salon have changed since they were read.' },
  },
  payload_too_large: {
    meaning: 'The request body is larger than 1 MiB.',
    remedy: 'Send one record per request.',
    example: { detail: 'The body is larger than 1 MiB.' },
  },
  unsupported_media_type: {
    meaning: 'The request body is not declared as JSON in UTF-8, or it is compressed.',
    remedy: 'Send it uncompressed, with Content-Type: application/json.',
    example: { detail: 'The body must be application/json in UTF-8, not text/plain.' },
  },
  validation_failed: {
    meaning: 'The request body is valid JSON, but some fields are invalid. Nothing was written.',
    remedy: 'Fix the fields listed in errors: pointer is the field, code the kind of error, detail the rule.',
    example: {
      detail: '/duration must be at least 1.',
      errors: [{ pointer: '/duration', code: 'out_of_range', detail: '/duration must be at least 1.' }],
    },
  },
  idempotency_key_reused: {
    meaning: 'The Idempotency-Key was used in the last 24 hours for a request with another body or path.',
    remedy: 'Create a new key for every new request. Send the same key only to repeat the same request.',
    example: { detail: 'This idempotency key was used for a different request.' },
  },
  rate_limited: {
    meaning:
      'The account has used all of its requests for this hour. All keys of an account share the limit.',
    remedy:
      'Wait for the time in Retry-After. The RateLimit header of every response has the number of requests left, so a program can slow down in time.',
    example: { detail: 'The account has used all of its 5000 requests for this hour.' },
  },
  internal_error: {
    meaning: 'An unexpected error occurred in the service. The request is not at fault.',
    remedy: 'Try again. If it keeps failing, report the request_id to the service operator.',
    example: { detail: 'Internal error. Report the request ID to the service operator.' },
  },
  service_unavailable: {
    meaning:
      'The service is running, but cannot handle requests right now, for example because its database is unreachable.',
    remedy: 'Try again after the time in Retry-After.',
    example: { detail: 'The database is unreachable.' },
  },
  commit_unknown: {
    meaning:
      'The connection to the database was lost while a change was being saved. The change may have been saved, or not.',
    remedy:
      'Repeat a POST with the same Idempotency-Key: it is executed once. For PUT and DELETE, repeat the request, or read the record: after a change that was saved, a repeat with If-Match gets 412, and a repeated DELETE 404.',
    example: { detail: 'The database did not confirm a change, which may have been saved.' },
  },
};
