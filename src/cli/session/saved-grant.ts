import type { Tokens } from '../oauth/tokens.ts';

/** A sign-in with OAuth, as a profile keeps it. Its tokens are in the keyring, or in the profile. */
export interface SavedGrant {
  /** Names it in the keyring and in locks; changes with every sign-in. */
  readonly id: string;
  /** The only origin that its access tokens are sent to. */
  readonly origin: string;
  /** The server that renews and ends it. */
  readonly issuer: string;
  readonly client_id: string;
  readonly storage: 'keyring' | 'file';
  /** With the storage `file`. */
  readonly tokens?: Tokens;
}
