import { isIP } from 'node:net';
import type { WebhookAddressCheck } from '../domain/context.ts';
import { toAddressKind } from './address-kind.ts';

/** The addresses of a name, as the system's resolver has them; throws where it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export interface AddressRules {
  readonly resolve: Resolve;
  /** Whether this machine may be delivered to, also without encryption. */
  readonly allowsLoopback: boolean;
}

/** Where something is to be delivered: what a URL says of it. */
export interface Target {
  readonly protocol: string;
  /** A name or an address; brackets around it do not matter. */
  readonly hostname: string;
}

/** Why nothing is delivered to an address; its message is for whoever registered it. */
export class AddressRefusal extends Error {
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
      if (error instanceof AddressRefusal) return error.message;
      throw error;
    }
  };
}

/**
 * The addresses that a target leads to, every one of them allowed. Whoever connects has to take one of these:
 * a name may lead elsewhere when it is asked for again. Throws `AddressRefusal`.
 */
export async function resolveTarget(
  { protocol, hostname }: Target,
  { resolve, allowsLoopback }: AddressRules,
): Promise<readonly string[]> {
  const isPlain = protocol === 'http:';
  if (protocol !== 'https:' && !(isPlain && allowsLoopback)) {
    throw new AddressRefusal('It has to begin with https://.');
  }
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(host) === 0 ? await resolveName(host, resolve) : [host];
  const kinds = new Set(addresses.map(toAddressKind));
  if (kinds.has('other') || (kinds.has('loopback') && !allowsLoopback)) {
    throw new AddressRefusal(`${host} is not a public address.`);
  }
  if (kinds.has('public') && isPlain) throw new AddressRefusal('It has to begin with https://.');
  return addresses;
}

async function resolveName(host: string, resolve: Resolve): Promise<readonly string[]> {
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) throw new AddressRefusal(`${host} cannot be found.`);
  return addresses;
}
