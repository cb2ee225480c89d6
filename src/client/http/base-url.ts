import { prefixes } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';

/** The parts of a service's base URL. */
export interface BaseUrl {
  /** Scheme, host and port. Credentials are bound to it. */
  readonly origin: string;
  /** Path before the version prefix, without a trailing slash; usually empty. */
  readonly root: string;
  /** The version prefix, if the URL ends with one. */
  readonly prefix: string | undefined;
}

/** Parses a base URL with or without a version prefix: one of the contract's, or the server's own. Throws `usage`. */
export function parseBaseUrl(text: string, ownPrefix = ''): BaseUrl {
  const url = URL.parse(text);
  if (url === null) throw invalidBaseUrl(text, 'is not a URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalidBaseUrl(text, 'does not start with https:// or http://');
  if (url.username !== '' || url.password !== '')
    throw invalidBaseUrl(url.origin, 'cannot contain a user name or password');
  if (/[?#]/.test(text))
    throw invalidBaseUrl(`${url.origin}${url.pathname}`, 'cannot have a query or a fragment');
  const path = url.pathname.replace(/\/+$/, '');
  const prefix = [...prefixes, ownPrefix].find((known) => known !== '' && path.endsWith(known));
  return { origin: url.origin, root: prefix === undefined ? path : path.slice(0, -prefix.length), prefix };
}

/** Whether others on the network can read what is sent to this origin. */
export function isUnencrypted(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  return protocol === 'http:' && !isLoopback;
}

function invalidBaseUrl(address: string, reason: string): SalonError {
  return new SalonError('usage', `The base URL "${address}" ${reason}.`, {
    hint: 'Use a URL such as https://salon.example.com',
  });
}
