import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const mappedBits = 96;

/**
 * An address or a range (CIDR) in its normal form: host bits cleared, IPv6 shortened, IPv4 inside IPv6 as IPv4.
 * Undefined for anything else, such as host names and short forms of IPv4.
 */
export function normaliseRange(text: string): string | undefined {
  const range = parseRange(text.trim());
  if (range === undefined) return undefined;
  const [address, bits] = range;
  if (bits === toMaxBits(address)) return address.toString();
  const network =
    address instanceof ipaddr.IPv4
      ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`);
  return `${network}/${bits}`;
}

/** Whether every address of a range is in one of the others. All are in normal form. */
export function isRangeWithin(range: string, others: readonly string[]): boolean {
  const inner = parseRange(range);
  return others.some((other) => {
    const outer = parseRange(other);
    if (inner === undefined || outer === undefined || inner[0].kind() !== outer[0].kind()) return false;
    return inner[1] >= outer[1] && inner[0].match(outer[0] as ipaddr.IPv4 & ipaddr.IPv6, outer[1]);
  });
}

/** A check whether an address is in one of the ranges. A text that is no address is in none. */
export function createRangeCheck(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = toFamily(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, toFamily(address));
}

function parseRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  const [host = '', bitsText, ...rest] = text.split('/');
  if (isIP(host) === 0 || host.includes('%') || rest.length > 0) return undefined;
  const address = ipaddr.parse(host);
  const max = toMaxBits(address);
  if (bitsText !== undefined && !/^(?:0|[1-9]\d{0,2})$/.test(bitsText)) return undefined;
  const bits = Number(bitsText ?? max);
  if (bits > max) return undefined;
  if (!(address instanceof ipaddr.IPv6) || !address.isIPv4MappedAddress()) return [address, bits];
  return bits < mappedBits ? undefined : [address.toIPv4Address(), bits - mappedBits];
}

function toMaxBits(address: ipaddr.IPv4 | ipaddr.IPv6): number {
  return address instanceof ipaddr.IPv4 ? 32 : 128;
}

function toFamily(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

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
