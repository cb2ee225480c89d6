import { SalonError } from '../../contract/errors.ts';

/** An API key or access token. */
export interface BearerCredential {
  readonly kind: 'bearer';
  readonly token: string;
  /** The only origin it may be sent to. Undefined for a credential given with the call. */
  readonly origin?: string | undefined;
  /** Where it was found, for errors, such as an environment variable. */
  readonly foundIn?: string | undefined;
}

/** An access token that expires and is then replaced. */
export interface RenewableCredential {
  readonly kind: 'renewable';
  /** Returns the token for the next request. */
  read(): Promise<string>;
  /** Called when the server refused a token with 401. Returns another one to repeat the request with, if there is one. */
  renew(refused: string): Promise<string | undefined>;
  /** The only origin the tokens may be sent to. */
  readonly origin: string;
}

export type Credential = BearerCredential | RenewableCredential;

/**
 * The value of the `Authorization` header.
 * Throws `not_signed_in` for a credential of another origin, and `usage` for one that cannot be sent in a header.
 */
export function toAuthorization(credential: BearerCredential, origin: string): string {
  assertOrigin(credential, origin);
  // Only visible ASCII: a line break would start another header.
  if (!/^[!-~]+$/.test(credential.token)) {
    const key = credential.foundIn === undefined ? 'The API key' : `The API key in ${credential.foundIn}`;
    throw new SalonError('usage', `${key} is empty or contains invalid characters.`, {
      hint: 'Copy the key again, without spaces or line breaks.',
    });
  }
  return `Bearer ${credential.token}`;
}

/** Throws `not_signed_in` for a credential of another origin. */
export function assertOrigin({ kind, origin: boundTo }: Credential, origin: string): void {
  if (boundTo === undefined || URL.parse(boundTo)?.origin === origin) return;
  const what = kind === 'bearer' ? 'The saved API key' : 'The saved sign-in';
  throw new SalonError('not_signed_in', `${what} belongs to ${boundTo}, not to ${origin}.`, {
    hint: `Sign in to ${origin}, or pass a key for this call.`,
  });
}
