import { scopes } from '../../contract/roles.ts';
import type { Issuer } from './issuer.ts';

/** The paths that oidc-provider serves. */
export const paths = {
  token: '/oauth/token',
  deviceAuthorization: '/oauth/device_authorization',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  /** A page of ours. */
  device: '/oauth/device',
} as const;

/** The metadata of the API at a path below the issuer (RFC 9728). */
export function toResourceMetadata({ url }: Issuer, path: string): object {
  return {
    resource: `${url}${path}`,
    authorization_servers: [url],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_documentation: `${url}/docs`,
  };
}

/** The metadata of the authorization server (RFC 8414). */
export function toServerMetadata({ url, pageOrigin, authorizationPath }: Issuer): object {
  return {
    issuer: url,
    authorization_endpoint: `${pageOrigin}${authorizationPath}`,
    token_endpoint: `${url}${paths.token}`,
    device_authorization_endpoint: `${url}${paths.deviceAuthorization}`,
    revocation_endpoint: `${url}${paths.revocation}`,
    introspection_endpoint: `${url}${paths.introspection}`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${url}/docs`,
  };
}
