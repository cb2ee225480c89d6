import type { OauthClientRole } from '../../contract/oauth-client.ts';

/** What the OAuth server stores under a secret: tokens, codes, and requests that wait for a person. */
export type OauthModel =
  | 'AccessToken'
  | 'ClientCredentials'
  | 'RefreshToken'
  | 'AuthorizationCode'
  | 'DeviceCode'
  | 'Interaction';

/** The tables of the OAuth server. */
export interface OauthTables {
  /** Apps that an account has registered. The command line is built in and has no row. */
  oauth_clients: {
    id: string;
    account_id: string;
    name: string;
    /** SHA-256 of the secret, in hexadecimal; null for a public client. */
    secret_hash: string | null;
    /** A JSON list. */
    flows: string;
    /** A JSON list. */
    redirect_uris: string;
    /** The scopes it may ask for, a JSON list. */
    scopes: string;
    /** Its own role with client credentials; null without. */
    role: OauthClientRole | null;
    created_by: string | null;
    /** The person who generated the secret; null for others, and where an earlier version stored the client. */
    secret_by: string | null;
    created_ms: number;
  };
  /** What a person has allowed an app to do in an account. */
  oauth_grants: {
    id: string;
    account_id: string;
    user_id: string;
    client_id: string;
    /** Separated by spaces. */
    scopes: string;
    /** The address of the browser or device that was connected. */
    address: string | null;
    created_ms: number;
    /** When tokens were last issued. */
    used_ms: number;
    /** When it ends unless the app asks for new tokens before. */
    expires_ms: number;
    revoked_ms: number | null;
  };
  oauth_tokens: {
    /** SHA-256 of the token, code or request ID, in hexadecimal. */
    hash: string;
    model: OauthModel;
    client_id: string | null;
    /** Null for client credentials and before a person has agreed. */
    grant_id: string | null;
    /** Separated by spaces; null for requests. */
    scopes: string | null;
    /** Refresh tokens: how many came before it. */
    generation: number | null;
    /** SHA-256 of the code that a person types, in hexadecimal. */
    user_code_hash: string | null;
    created_ms: number;
    expires_ms: number;
    /** When it was first used up: codes and refresh tokens. */
    consumed_ms: number | null;
    /** What the OAuth server needs beyond the columns, as JSON. Contains no secrets. */
    payload: string;
  };
}
