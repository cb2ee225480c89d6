import { type Endpoint, scopeOf } from '../../contract/endpoint.ts';
import { scopeTexts } from '../../contract/scope-texts.ts';

/** How requests are authenticated. The OAuth endpoints are those of the service's own metadata (RFC 8414). */
export function toSecuritySchemes(origin: string): object {
  const scopes = scopeTexts;
  const tokenUrl = `${origin}/oauth/token`;
  return {
    apiKey: { type: 'http', scheme: 'bearer', description: 'An API key.' },
    oauth2: {
      type: 'oauth2',
      description: `An access token. The endpoints and flows, the device flow among them, are in ${origin}/.well-known/oauth-authorization-server.`,
      flows: {
        authorizationCode: {
          authorizationUrl: `${origin}/oauth/authorize`,
          ...{ tokenUrl, refreshUrl: tokenUrl, scopes },
        },
        clientCredentials: { tokenUrl, scopes },
      },
    },
  };
}

/** What an endpoint may be used with: API keys, and access tokens with its scope. Some are not for apps. */
export function toSecurity(endpoint: Endpoint): object[] {
  const scope = scopeOf(endpoint);
  if (endpoint.action !== null && scope === null) return [{ apiKey: [] }];
  return [{ apiKey: [] }, { oauth2: scope === null ? [] : [scope] }];
}
