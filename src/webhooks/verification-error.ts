import { SalonError } from '../contract/errors.ts';

/** Why a webhook is not believed: `members.reason` of the error. */
export type RefusalReason =
  | 'missing_header'
  | 'malformed_header'
  | 'address_unknown'
  | 'no_signature_matches'
  | 'too_old'
  | 'too_new'
  | 'not_json'
  | 'no_event';

/** An error that says why a webhook is not believed. */
export function createVerificationError(reason: RefusalReason, message: string, hint?: string): SalonError {
  return new SalonError('webhook_refused', message, { hint, members: { reason } });
}
