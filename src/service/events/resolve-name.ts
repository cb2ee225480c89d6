import { lookup } from 'node:dns/promises';

/** The addresses of a name as the system has them, its hosts file included. Throws where there are none. */
export async function resolveName(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}
