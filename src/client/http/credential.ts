import { SalonError } from '../../contract/errors.ts';

/** An API key or access token. */
export interface Credential {
  readonly kind: 'bearer';
  readonly token: string;
  /** The only origin it may be sent to. Undefined for a credential given with the call. */
  readonly origin?: string | undefined;
}

/**
 * The value of the `Authorization` header.
 * Throws `not_signed_in` for a credential of another origin, and `usage` for one that cannot be sent in a header.
 */
export function toAuthorization(credential: Credential, origin: string): string {
  const boundTo = credential.origin;
  if (boundTo !== undefined && URL.parse(boundTo)?.origin !== origin) {
    throw new SalonError('not_signed_in', `The saved API key belongs to ${boundTo}, not to ${origin}.`, {
      hint: `Sign in to ${origin}, or pass a key for this call.`,
    });
  }
  // Only visible ASCII: a line break would start another header.
  if (!/^[!-~]+$/.test(credential.token)) {
    throw new SalonError('usage', 'The API key is empty or contains invalid characters.', {
      hint: 'Copy the key again, without spaces or line breaks.',
    });
  }
  return `Bearer ${credential.token}`;
}
