import { errors, type KoaContextWithOIDC } from 'oidc-provider';

/** Where an app says what it asks for; later it can only ask for less. */
const requestRoutes = ['authorization', 'device_authorization'];

const offlineAccess = 'offline_access';

/**
 * Refuses scopes that the app may not ask for. Without `scope`, an app asks for all that it may (RFC 6749, section
 * 3.3). Throws `invalid_scope`.
 */
export function checkScopes({ oidc, query }: KoaContextWithOIDC): void {
  const { client, params, route } = oidc;
  const isRequest = requestRoutes.includes(route) || params?.['grant_type'] === 'client_credentials';
  if (client === undefined || params === undefined || !isRequest) return;
  const allowed = client.scope?.split(' ') ?? [];
  if (typeof params['scope'] !== 'string' || params['scope'] === '') {
    // The provider drops `offline_access`: an app that asks for nothing else must not be offered everything.
    if (route === 'authorization' && query['scope'] === offlineAccess) {
      throw new errors.InvalidScope(
        'refresh tokens need no scope; ask for what the app will do',
        offlineAccess,
      );
    }
    params['scope'] = allowed.join(' ');
    return;
  }
  const unknown = params['scope'].split(' ').filter((scope) => !allowed.includes(scope));
  if (unknown.length > 0) {
    throw new errors.InvalidScope('the app may not ask for this scope', unknown.join(' '));
  }
}
