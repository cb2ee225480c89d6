import { SalonError } from '../../contract/errors.ts';

/** What proves who is asking. */
export interface Credential {
  readonly kind: 'bearer';
  readonly token: string;
  /** The origin it was stored for; it is sent to no other one. Left out for one given for this call. */
  readonly origin?: string | undefined;
}

/**
 * The value of the `Authorization` header for an origin.
 * Throws `not_signed_in` when the credential was stored for another origin, and `usage` when it cannot stand in a header.
 */
export function toAuthorization(credential: Credential, origin: string): string {
  const boundTo = credential.origin;
  if (boundTo !== undefined && URL.parse(boundTo)?.origin !== origin) {
    throw new SalonError('not_signed_in', `The stored key is for ${boundTo} and is not sent to ${origin}.`, {
      hint: `Sign in to ${origin}, or give a key for this call.`,
    });
  }
  // Visible ASCII alone: a line break would end the header and begin another one.
  if (!/^[!-~]+$/.test(credential.token)) {
    throw new SalonError('usage', 'The key is empty or contains characters that no key has.', {
      hint: 'Copy the key again, without line breaks or spaces.',
    });
  }
  return `Bearer ${credential.token}`;
}
