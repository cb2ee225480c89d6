import { isIP } from 'node:net';

/** The forms in which sockets and proxies write addresses, and the part that is the address. */
const forms: readonly RegExp[] = [
  // IPv4 inside IPv6, as a socket that accepts both has it.
  /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i,
  // With a port, as some proxies send it.
  /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/,
  /^\[([^\]]+)\](?::\d{1,5})?$/,
  // With the network interface of a link-local address.
  /^([^%]+)%.+$/,
];

/**
 * The address a request comes from: the client's if a trusted proxy names it. Null when the client is gone, or the
 * proxy sent something else.
 */
export function toClientAddress({ ip = '' }: { readonly ip: string | undefined }): string | null {
  const address = ip.includes(':') ? forms.reduce((text, form) => text.replace(form, '$1'), ip) : ip;
  return isIP(address) === 0 ? null : address;
}
