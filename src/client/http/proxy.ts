import { BlockList, isIP, isIPv6 } from 'node:net';
import { SalonError } from '../../contract/errors.ts';
import { quote } from './quote.ts';

/** Proxies, as `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` give them. */
export interface ProxySettings {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** For both schemes, where a scheme has none. */
  readonly all?: string | undefined;
  /** Hosts to connect to directly: names with their subdomains, addresses, CIDR, `*`; each with an optional port. */
  readonly noProxy?: string | undefined;
  /** Where each came from, for messages, such as `https_proxy`. */
  readonly names?: Readonly<Partial<Record<'http' | 'https' | 'all' | 'noProxy', string>>>;
}

/** One HTTP proxy. */
export interface HttpProxy {
  /** Without user name and password. */
  readonly url: URL;
  /** The value of `Proxy-Authorization`. */
  readonly authorization: string | undefined;
  /** For messages: `the proxy http://proxy:3128 (HTTPS_PROXY)`. */
  readonly label: string;
}

/** How an origin is reached: directly without a proxy. */
export interface Route {
  readonly proxy?: HttpProxy | undefined;
  readonly reason: string;
}

/**
 * Reads the variables that curl reads. Lower case comes first, and an empty value counts as none. Unlike curl, `HTTP_PROXY`
 * counts in upper case as well.
 */
export function readProxySettings(env: Readonly<Record<string, string | undefined>>): ProxySettings {
  const names: Record<string, string> = {};
  const settings: Record<string, string> = {};
  for (const [key, variable] of Object.entries(variables)) {
    for (const name of [variable, variable.toLowerCase()]) {
      const value = env[name]?.trim();
      if (!value) continue;
      // The name in lower case comes last and wins.
      names[key] = name;
      settings[key] = value;
    }
  }
  return { ...settings, names };
}

const variables = {
  http: 'HTTP_PROXY',
  https: 'HTTPS_PROXY',
  all: 'ALL_PROXY',
  noProxy: 'NO_PROXY',
} as const;

/** Chooses the proxy for an origin. Loopback addresses never use one. Throws `usage` for a proxy that cannot be used. */
export function chooseRoute(origin: string, settings: ProxySettings = {}): Route {
  const { protocol, hostname, port } = new URL(origin);
  const own = protocol === 'https:' ? 'https' : 'http';
  const key = settings[own] ? own : 'all';
  const address = settings[key];
  if (!address) return { reason: 'no proxy is set' };
  const host = toHost(hostname);
  if (isLoopback(host)) return { reason: 'loopback addresses never use a proxy' };
  const entry = findExclusion(settings.noProxy ?? '', host, port || (own === 'https' ? '443' : '80'));
  const names = settings.names ?? {};
  if (entry !== undefined) return { reason: `${names.noProxy ?? 'noProxy'} contains ${entry}` };
  const name = names[key] ?? `${key} proxy`;
  return { proxy: parseProxy(address, name), reason: `${name} is set` };
}

function parseProxy(address: string, name: string): HttpProxy {
  // As for curl, a value without a scheme is an HTTP proxy.
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`);
  if (url === null || url.hostname === '') {
    throw new SalonError('usage', `${name} is not the address of a proxy.`, {
      hint: 'Use http://user:password@host:port, and percent-encode special characters in the password.',
    });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const kind = url.protocol.startsWith('socks') ? 'a SOCKS proxy' : `"${quote(url.protocol, 20)}//"`;
    throw new SalonError('usage', `${name} is ${kind}; only HTTP proxies are supported.`, {
      hint: 'Set HTTPS_PROXY to an HTTP proxy, or add the host of the salon to NO_PROXY.',
    });
  }
  const label = `the proxy ${url.origin} (${name})`;
  return { url: new URL(url.origin), authorization: toBasic(url, name), label };
}

function toBasic({ username, password }: URL, name: string): string | undefined {
  if (username === '' && password === '') return undefined;
  try {
    const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(text).toString('base64')}`;
  } catch (cause) {
    throw new SalonError('usage', `The user name or password in ${name} is not percent-encoded correctly.`, {
      hint: 'Write % as %25.',
      cause,
    });
  }
}

/** A host without brackets or the dot at its end. */
function toHost(hostname: string): string {
  return hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(.)\.$/, '$1')
    .toLowerCase();
}

function isLoopback(host: string): boolean {
  return /(^|\.)localhost$/.test(host) || isWithin(host, '127.0.0.0', 8) || isWithin(host, '::1', 128);
}

/** The entry of `NO_PROXY` that excludes the host. */
function findExclusion(noProxy: string, host: string, port: string): string | undefined {
  return noProxy.split(/[\s,]+/).find((entry) => {
    if (entry === '') return false;
    const [, bracketed, plain, entryPort = port] =
      /^(?:\[([^\]]+)\]|([^:]*|.*:.*:.*?))(?::(\d+))?$/.exec(entry) ?? [];
    const name = toHost(bracketed ?? plain ?? entry);
    return entryPort === port && isExcluded(name, host);
  });
}

function isExcluded(entry: string, host: string): boolean {
  if (entry === '*' || entry === host) return true;
  const [, network = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  if (isIP(network)) return isWithin(host, network, bits === undefined ? undefined : Number(bits));
  if (isIP(host)) return false;
  const suffix = entry.replace(/^\*?\./, '');
  return suffix !== '' && (host.endsWith(`.${suffix}`) || (!entry.startsWith('*') && host === suffix));
}

function isWithin(host: string, network: string, bits = isIPv6(network) ? 128 : 32): boolean {
  if (!isIP(host) || bits > (isIPv6(network) ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, isIPv6(network) ? 'ipv6' : 'ipv4');
  return list.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');
}
