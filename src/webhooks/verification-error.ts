import { SalonError } from '../contract/errors.ts';

/** Why verification failed: `members.reason` of the error. */
export type RefusalReason =
  | 'missing_header'
  | 'malformed_header'
  | 'address_unknown'
  | 'no_signature_matches'
  | 'too_old'
  | 'too_new'
  | 'not_json'
  | 'no_event';

/** Creates the error for a delivery that failed verification. */
export function createVerificationError(reason: RefusalReason, message: string, hint?: string): SalonError {
  return new SalonError('webhook_refused', message, { hint, members: { reason } });
}
