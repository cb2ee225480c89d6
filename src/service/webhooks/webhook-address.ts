import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { WebhookAddressCheck } from '../domain/context.ts';

/** The addresses of a name, as the system's resolver has them; throws where it has none. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

export interface AddressRules {
  readonly resolve: ResolveName;
  /** Whether this machine may be delivered to, also without encryption. */
  readonly allowsLoopback: boolean;
}

/** Where something is to be delivered: what a URL says of it. */
export interface WebhookTarget {
  readonly protocol: string;
  /** A name or an address; brackets around it do not matter. */
  readonly hostname: string;
}

/** Why nothing is delivered to an address; its message is for whoever registered it. */
export class AddressError extends Error {
  override readonly name = 'AddressRefusal';
}

/** Makes what looks at the address of a webhook when it is registered. */
export function createAddressCheck(rules: AddressRules): WebhookAddressCheck {
  return async (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    // Parsing drops line breaks and the like, and what is stored would be another text than what was looked at.
    if (url === undefined || /[\p{Cc}\s]/u.test(text)) return 'It is not a web address.';
    if (url.username !== '' || url.password !== '') return 'A user name or a password must not be in it.';
    // An empty fragment leaves no trace in the URL, but it is none of a server's business either.
    if (text.includes('#')) return 'A fragment (what is behind #) must not be in it.';
    try {
      await resolveTarget(url, rules);
      return undefined;
    } catch (error) {
      if (error instanceof AddressError) return error.message;
      throw error;
    }
  };
}

/**
 * The addresses that a target leads to, every one of them allowed. Whoever connects has to take one of these:
 * a name may lead elsewhere when it is asked for again. Throws `AddressRefusal`.
 */
export async function resolveTarget(
  { protocol, hostname }: WebhookTarget,
  { resolve, allowsLoopback }: AddressRules,
): Promise<readonly string[]> {
  const isPlain = protocol === 'http:';
  if (protocol !== 'https:' && !(isPlain && allowsLoopback)) {
    throw new AddressError('It has to begin with https://.');
  }
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(host) === 0 ? await resolveName(host, resolve) : [host];
  const kinds = new Set(addresses.map(toAddressKind));
  if (kinds.has('other') || (kinds.has('loopback') && !allowsLoopback)) {
    throw new AddressError(`${host} is not a public address.`);
  }
  if (kinds.has('public') && isPlain) throw new AddressError('It has to begin with https://.');
  return addresses;
}

async function resolveName(host: string, resolve: ResolveName): Promise<readonly string[]> {
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) throw new AddressError(`${host} cannot be found.`);
  return addresses;
}

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

export interface NameResolverParts {
  /** Whom to ask, such as `127.0.0.1:53`; the system's own name servers where this is left out. */
  readonly servers?: readonly string[];
  /** How long a name server may take, each of two times. */
  readonly timeoutMs?: number;
  /** The system's own way, which knows its hosts file and what else it was told. */
  readonly lookUp?: (hostname: string) => Promise<readonly string[]>;
}

const usualTimeoutMs = 2500;
/** What says that there is no such name, or nobody to ask: the system may know it all the same. */
const unknownCodes = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'];

/**
 * Makes what finds the addresses of a name; it throws where there are none. Name servers are asked directly: the
 * system's way has two threads for all names, and one that nobody answers for would hold them for tens of seconds.
 */
export function createNameResolver(parts: NameResolverParts = {}): (hostname: string) => Promise<string[]> {
  const { servers, timeoutMs: timeout = usualTimeoutMs, lookUp = lookUpInSystem } = parts;
  return async (hostname) => {
    // Made anew each time: the system's name servers change with the network it is in.
    const resolver = new Resolver({ timeout, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    for (const answer of answers) {
      if (answer.status === 'rejected' && !unknownCodes.includes(answer.reason.code)) throw answer.reason;
    }
    return [...(await lookUp(hostname))];
  };
}

async function lookUpInSystem(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}
