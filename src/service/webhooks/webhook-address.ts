import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { WebhookAddressCheck } from '../domain/context.ts';

/** Returns the addresses of a host name. Throws if there are none. */
type ResolveHost = (hostname: string) => Promise<readonly string[]>;

export interface AddressRules {
  readonly resolve: ResolveHost;
  /** Whether loopback addresses are allowed, also without TLS, on any port. */
  readonly allowsLoopback: boolean;
  /** Allowed besides the usual ones. */
  readonly ports?: readonly number[] | undefined;
}

/** The address of a webhook is not allowed. The message is shown to the account. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

/** Creates the check that runs when a webhook is registered. */
export function createAddressCheck(rules: AddressRules): WebhookAddressCheck {
  return async (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    // The URL parser removes control characters, so the stored text would differ from the checked URL.
    if (url === undefined || /[\p{Cc}\s]/u.test(text)) return 'It is not a valid URL.';
    if (url.username !== '' || url.password !== '') return 'It must not contain a user name or password.';
    // The parsed URL does not show an empty fragment.
    if (text.includes('#')) return 'It must not contain a fragment (#).';
    try {
      const addresses = await resolveTarget(url, rules);
      const port = Number(url.port || 443);
      const isUsual = port === 443 || (port >= 8000 && port <= 8999) || rules.ports?.includes(port);
      if (isUsual || addresses.every(isLoopbackHost)) return undefined;
      return `Port ${port} is not allowed. Use 443 or one from 8000 to 8999, or ask the operator to allow it.`;
    } catch (error) {
      if (error instanceof AddressError) return error.message;
      throw error;
    }
  };
}

/**
 * Resolves a host to its addresses, all of which must be allowed. Connect to one of these and do not resolve the
 * host again: its addresses may change. Throws `AddressError`.
 */
export async function resolveTarget(
  { protocol, hostname }: { readonly protocol: string; readonly hostname: string },
  { resolve, allowsLoopback }: AddressRules,
): Promise<readonly string[]> {
  const isPlain = protocol === 'http:';
  if (protocol !== 'https:' && !(isPlain && allowsLoopback)) {
    throw new AddressError('It must start with https://.');
  }
  const host = withoutBrackets(hostname);
  const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
  if (addresses.length === 0) throw new AddressError(`${host} cannot be resolved.`);
  const kinds = new Set(addresses.map(toAddressKind));
  if (kinds.has('other') || (kinds.has('loopback') && !allowsLoopback)) {
    throw new AddressError(`${host} is not a public address.`);
  }
  if (kinds.has('public') && isPlain) throw new AddressError('It must start with https://.');
  return addresses;
}

/** Whether a host, given by name or address, is this machine. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || toAddressKind(withoutBrackets(host)) === 'loopback';
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** The allocated part of IPv6. Source: IANA, IPv6 Global Unicast Address Assignments. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Those of other clouds are link-local or private. Source: Microsoft, What is IP address 168.63.129.16? */
const azureMetadata = '168.63.129.16';

/** Classifies an address. IPv6 forms that embed an IPv4 address are `other`, because they lead wherever that does. */
function toAddressKind(text: string): 'public' | 'loopback' | 'other' {
  if (!ipaddr.isValid(text)) return 'other';
  const address = ipaddr.parse(text);
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  const isGlobal = address instanceof ipaddr.IPv4 || (address.match(globalUnicast) && !isIsatap(address));
  return range === 'unicast' && isGlobal && text !== azureMetadata ? 'public' : 'other';
}

const universalBit = 0x0200;

/** Whether the interface ID embeds an IPv4 address. Source: RFC 5214, 6.1. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ((parts[4] ?? 0) & ~universalBit) === 0 && parts[5] === 0x5efe;
}

interface HostResolverOptions {
  /** DNS servers such as `127.0.0.1:53`; the system's by default. */
  readonly servers?: readonly string[];
  /** Time limit for each of two queries. */
  readonly timeoutMs?: number;
  /** The system's resolver, which also reads the hosts file. */
  readonly lookUp?: ResolveHost;
}

const defaultDnsTimeoutMs = 2500;
/** There is no such name, or no DNS server: the system's resolver may know it. */
const unknownNameCodes = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'];

/**
 * Creates a resolver that queries DNS servers directly: the system's resolver has few threads, which one unresponsive
 * DNS server would block for tens of seconds.
 */
export function createHostResolver(options: HostResolverOptions = {}): ResolveHost {
  const { servers, timeoutMs = defaultDnsTimeoutMs, lookUp = lookUpInSystem } = options;
  return async (hostname) => {
    // Created for each name, because the system's DNS servers change with its network.
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const results = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length > 0) return addresses;
    for (const result of results) {
      if (result.status === 'rejected' && !unknownNameCodes.includes(result.reason.code)) throw result.reason;
    }
    return lookUp(hostname);
  };
}

async function lookUpInSystem(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}
