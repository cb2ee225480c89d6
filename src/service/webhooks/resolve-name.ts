import { lookup, Resolver } from 'node:dns/promises';

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
