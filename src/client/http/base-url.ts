import { prefixes } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';

/** Where a service is, taken apart. */
export interface BaseAddress {
  /** Scheme, host and port: what a credential is bound to. */
  readonly origin: string;
  /** Path in front of the version prefix, without a slash at the end; mostly empty. */
  readonly root: string;
  /** The version prefix, where the address was given with one. */
  readonly prefix: string | undefined;
}

/** Takes a base address apart, with or without a version prefix. Throws `usage` when it is none. */
export function parseBaseAddress(text: string): BaseAddress {
  const url = URL.parse(text);
  if (url === null) throw unusable(text, 'is not an address');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw unusable(text, 'is neither http nor https');
  if (url.username !== '' || url.password !== '') {
    throw unusable(url.origin, 'was given with a user name or password, which belongs into a credential');
  }
  if (/[?#]/.test(text))
    throw unusable(`${url.origin}${url.pathname}`, 'was given with a query or a fragment');
  const path = url.pathname.replace(/\/+$/, '');
  const prefix = prefixes.find((known) => path.endsWith(known));
  return { origin: url.origin, root: prefix === undefined ? path : path.slice(0, -prefix.length), prefix };
}

/** Whether what travels to this origin can be read on the way. */
export function isExposed(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  return protocol === 'http:' && !isLoopback;
}

function unusable(address: string, reason: string): SalonError {
  return new SalonError('usage', `The base address “${address}” ${reason}.`, {
    hint: 'Give an address such as https://salon.example.com',
  });
}
