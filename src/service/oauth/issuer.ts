import type { AdapterPayload } from 'oidc-provider';
import { prefixes } from '../../contract/endpoints.ts';
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

/** What the parts of the OAuth server work with. */
export interface OauthServer {
  readonly database: Database;
  readonly environment: Environment;
  readonly issuer: Issuer;
  /** Where the current request comes from. */
  source(): RequestSource;
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
