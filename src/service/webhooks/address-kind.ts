import ipaddr from 'ipaddr.js';

/** Whom an address belongs to: anybody in the world, this machine, or neither. */
export type AddressKind = 'public' | 'loopback' | 'other';

/** All of IPv6 that is given out to anybody. Source: IANA, IPv6 Global Unicast Address Assignments. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * What kind of address a text is, as resolvers write them. Public is only what is certain: forms of IPv6 that carry
 * an IPv4 address lead wherever that does, so none of them is.
 */
export function toAddressKind(text: string): AddressKind {
  if (!ipaddr.isValid(text)) return 'other';
  const address = ipaddr.parse(text);
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  const isGlobal = address instanceof ipaddr.IPv4 || (address.match(globalUnicast) && !isIsatap(address));
  return range === 'unicast' && isGlobal ? 'public' : 'other';
}

/** Whether it carries an IPv4 address in its second half. Source: RFC 5214, 6.1. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ((parts[4] ?? 0) & ~universal) === 0 && parts[5] === 0x5efe;
}

const universal = 0x0200;

/** Whether a service that is bound to a host, a name or an address, is for this machine alone. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || toAddressKind(host.replace(/^\[(.*)\]$/, '$1')) === 'loopback';
}
