import { isIPv6 } from 'node:net';
import { prefixes } from '../../contract/endpoints.ts';

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

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'] as const;

/** Where a service is reached. */
export interface Reach {
  /** The configured origin; undefined without one. */
  readonly publicUrl: string | undefined;
  /** Whether it listens on loopback only. */
  readonly isLoopbackOnly: boolean;
  readonly port: number;
}

/**
 * The issuer for a request to a host: the public URL, or on a loopback-only service the origin that was asked for.
 * Undefined where there is none: without TLS, tokens would be readable on the way.
 */
export function findIssuer(host: string, { publicUrl, isLoopbackOnly, port }: Reach): Issuer | undefined {
  if (publicUrl !== undefined) {
    return isLoopbackOnly || publicUrl.startsWith('https:') ? createIssuer(publicUrl, publicUrl) : undefined;
  }
  if (!isLoopbackOnly) return undefined;
  const name = loopbackHosts.find((known) => host === `${known}:${port}`);
  return name === undefined ? undefined : createIssuer(`http://${name}:${port}`, `http://localhost:${port}`);
}

/** The issuers that a loopback-only service can have; their paths differ. */
export function listAuthorizationPaths(): string[] {
  return loopbackHosts.map((name) => toAuthorizationPath(name === 'localhost' ? '' : toHostName(name)));
}

function createIssuer(url: string, pageOrigin: string): Issuer {
  // Passkeys and cookies belong to the origin of the pages, so an authorization always happens there.
  const other = url === pageOrigin ? '' : toHostName(new URL(url).hostname);
  return {
    url,
    pageOrigin,
    authorizationPath: toAuthorizationPath(other),
    resources: ['', '/', ...prefixes].map((path) => `${url}${path}`),
  };
}

function toHostName(name: string): string {
  const bare = name.replace(/[[\]]/g, '');
  return isIPv6(bare) ? 'ipv6' : 'ipv4';
}

function toAuthorizationPath(host: string): string {
  return host === '' ? '/oauth/authorize' : `/oauth/${host}/authorize`;
}
