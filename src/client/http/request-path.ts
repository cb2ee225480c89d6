import { endpoints, prefixes } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { quote } from '../../text/quote.ts';

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

export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** Rejects an invalid ID before anything is sent: `..` would reach the parent path. */
export function assertIdentifier(id: string, noun: string): void {
  if (isIdentifier(id)) return;
  throw new SalonError('usage', `No ${noun} matches "${quote(id, 80)}".`, {
    hint: 'An ID has at most 200 characters, and no "/", "\\\\", "?", "#" or "%".',
  });
}

/** Whether a path is relative to the version prefix, unlike `/healthz`. */
export function isBelowPrefix(path: string): boolean {
  const root = firstSegment(path);
  return !path.startsWith('/') || Object.values(endpoints).some((one) => firstSegment(one.path) === root);
}

function firstSegment(path: string): string {
  return path.split(/[/?]/)[1] ?? '';
}

/** Throws `usage`. */
export function assertPath(path: string): void {
  const hasDotSegment = path.split(/[/?]/).some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  if (/^[!"$-~]+$/.test(path) && !path.includes('://') && !hasDotSegment) return;
  throw new SalonError('usage', `"${quote(path, 120)}" is not a valid path.`, {
    hint: 'Use a path such as clients or /api/v1/clients, and percent-encode special characters.',
  });
}

export function withQuery(path: string, query: QueryValues | URLSearchParams): string {
  const parameters = query instanceof URLSearchParams ? query : new URLSearchParams(toTexts(query));
  if (parameters.size === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${parameters}`;
}

/** The values of a query as texts, without undefined ones. */
export function toTexts(query: QueryValues): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
