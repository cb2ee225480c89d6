import type { TokenEndpointResponse } from 'openid-client';
import { SalonError } from '../../contract/errors.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { toOAuthError } from './oauth-error.ts';

/** The tokens of a sign-in, as they are stored. Times are RFC 3339 in UTC, by the clock of this machine. */
export interface Tokens {
  readonly access_token: string;
  /** Undefined where the server does not renew the access token. */
  readonly refresh_token?: string | undefined;
  /** Undefined where the server does not say. */
  readonly expires_at?: string | undefined;
  /** From when on the access token is renewed before it is used. */
  readonly renew_at?: string | undefined;
  /** The scopes that were granted, separated by spaces. */
  readonly scope?: string | undefined;
}

/** A token is renewed a minute before it expires; one with a short life after nine tenths of it. */
const maxMarginMs = 60_000;
/** Ten years. A server may name more than a date can be. */
const maxLifetimeMs = 10 * 365 * 86_400_000;

export function toTokens(response: TokenEndpointResponse, now: Date): Tokens {
  const { access_token, refresh_token, expires_in, scope } = response;
  if (!/^[!-~]+$/.test(access_token)) {
    throw new SalonError('unexpected_response', 'The server issued an access token that cannot be sent.');
  }
  const tokens = { access_token, refresh_token, scope };
  if (expires_in === undefined) return tokens;
  const lifetimeMs = Math.min(expires_in * 1_000, maxLifetimeMs);
  const expiryMs = now.getTime() + lifetimeMs;
  const renewalMs = expiryMs - Math.min(maxMarginMs, lifetimeMs / 10);
  const [expires_at, renew_at] = [expiryMs, renewalMs].map((ms) => new Date(ms).toISOString());
  return { ...tokens, expires_at, renew_at };
}

export function isDue({ renew_at: renewAt }: Tokens, now: Date): boolean {
  return renewAt !== undefined && now.getTime() >= Date.parse(renewAt);
}

export function isExpired({ expires_at: expiresAt }: Tokens, now: Date): boolean {
  return expiresAt !== undefined && now.getTime() >= Date.parse(expiresAt);
}

/**
 * Exchanges a refresh token for new tokens. Values that the server leaves out are kept. Throws `ended` for a refresh
 * token that is no longer valid.
 */
export async function refreshTokens(
  server: AuthorizationServer,
  former: Tokens & { readonly refresh_token: string },
  { now, ended }: { readonly now: () => Date; readonly ended: SalonError },
): Promise<Tokens> {
  const { refreshTokenGrant } = await import('openid-client');
  try {
    const response = await refreshTokenGrant(server.configuration, former.refresh_token);
    const {
      refresh_token = former.refresh_token,
      scope = former.scope,
      ...tokens
    } = toTokens(response, now());
    return { ...tokens, refresh_token, scope };
  } catch (thrown) {
    throw toOAuthError(thrown, server.issuer, ended);
  }
}

/** Ends the sign-in at the server (RFC 7009). False where the server has no revocation. */
export async function revokeTokens(server: AuthorizationServer, { access_token, refresh_token }: Tokens) {
  if (server.configuration.serverMetadata().revocation_endpoint === undefined) return false;
  const { tokenRevocation } = await import('openid-client');
  try {
    // With the refresh token its access tokens end, too.
    await tokenRevocation(server.configuration, refresh_token ?? access_token, {
      token_type_hint: refresh_token === undefined ? 'access_token' : 'refresh_token',
    });
    return true;
  } catch (thrown) {
    throw toOAuthError(thrown, server.issuer);
  }
}
