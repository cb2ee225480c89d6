import type { AdapterPayload } from 'oidc-provider';
import { prefixes } from '../../contract/endpoints.ts';
import { scopes } from '../../contract/roles.ts';
import type { Database } from '../db/database.ts';
import type { Environment, RequestSource } from '../domain/context.ts';

/** An OAuth issuer of this service. */
export interface Issuer {
  /** Its identifier (RFC 8414): an origin. */
  readonly url: string;
  /** The origin of the pages that people open. */
  readonly pageOrigin: string;
  /** The path where an authorization begins. */
  readonly authorizationPath: string;
  /** What `resource` may name (RFC 8707): the service. */
  readonly resources: readonly string[];
}

/** Where a service is reached. */
export interface Reach {
  /** The configured origin; undefined without one. */
  readonly publicUrl: string | undefined;
  /** Whether it listens on loopback only. */
  readonly isLoopbackOnly: boolean;
  readonly port: number;
}

/**
 * Pages belong to localhost on a service of this machine: passkeys need a name, and cookies belong to one host. An app
 * that asked under an address begins there, on a path that tells which issuer it expects.
 */
const loopbackPaths = {
  localhost: '/oauth/authorize',
  '127.0.0.1': '/oauth/ipv4/authorize',
  '[::1]': '/oauth/ipv6/authorize',
} as const;

export const authorizationPaths: readonly string[] = Object.values(loopbackPaths);

/**
 * The issuer for a request to a host: the public URL, or on a loopback-only service the origin that was asked for.
 * Undefined where there is none: without TLS, tokens would be readable on the way.
 */
export function findIssuer(host: string, reach: Reach): Issuer | undefined {
  const issuers = listIssuers(reach);
  if (reach.publicUrl !== undefined) return issuers[0];
  const asked = `http://${host}`;
  return URL.canParse(asked) ? issuers.find(({ url }) => url === new URL(asked).origin) : undefined;
}

/** The issuer whose authorizations begin at a path. */
export function findIssuerByPath(path: string, reach: Reach): Issuer | undefined {
  return listIssuers(reach).find(({ authorizationPath }) => authorizationPath === path);
}

function listIssuers({ publicUrl, isLoopbackOnly, port }: Reach): Issuer[] {
  if (publicUrl !== undefined) {
    return isLoopbackOnly || publicUrl.startsWith('https:') ? [createIssuer(publicUrl)] : [];
  }
  if (!isLoopbackOnly) return [];
  return Object.keys(loopbackPaths).map((name) => createIssuer(new URL(`http://${name}:${port}`).origin));
}

function createIssuer(url: string): Issuer {
  const page = new URL(url);
  const path = Object.entries(loopbackPaths).find(([name]) => name === page.hostname)?.[1];
  if (path !== undefined) page.hostname = 'localhost';
  return {
    url,
    pageOrigin: page.origin,
    authorizationPath: path ?? loopbackPaths.localhost,
    resources: ['', '/', ...prefixes].map((end) => `${url}${end}`),
  };
}

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

/** What the parts of the OAuth server work with. */
export interface OauthServer {
  readonly database: Database;
  readonly environment: Environment;
  readonly issuer: Issuer;
  /** Where the current request comes from. */
  source(): RequestSource;
  /** Takes errors of the server itself. */
  logError(error: unknown): void;
}

/** How long everything that is issued lasts, in seconds. */
export const lifetimes = {
  accessToken: 3600,
  /** Of a grant without new tokens, and of a refresh token. */
  idle: 30 * 86_400,
  code: 60,
  deviceCode: 900,
  /** How long a person may take to sign in and to agree. */
  interaction: 1800,
} as const;

type WithResource = Pick<AdapterPayload, 'resource' | 'aud' | 'params'>;

/**
 * Resources and the audience without the issuer, so that what was issued outlives a change of the origin: an embedded
 * salon listens on another port each time.
 */
export function toRelative(payload: WithResource, { url }: Issuer): WithResource {
  return mapTexts(payload, (text) => (text.startsWith(url) ? text.slice(url.length) : text));
}

/** The resources and the audience of a stored payload, at this issuer. */
export function toResource(payload: WithResource, { url }: Issuer): WithResource {
  return mapTexts(payload, (text) => `${url}${text}`);
}

function mapTexts({ resource, aud, params }: WithResource, change: (text: string) => string): WithResource {
  const map = (value: string | readonly string[]) =>
    typeof value === 'string' ? change(value) : value.map(change);
  const asked = params?.['resource'] as string | string[] | undefined;
  return {
    ...(resource === undefined ? {} : { resource: map(resource) }),
    ...(aud === undefined ? {} : { aud: map(aud) }),
    ...(asked === undefined ? {} : { params: { ...params, resource: map(asked) } }),
  };
}
