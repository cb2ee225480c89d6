import { SalonError } from '../../contract/errors.ts';
import { openWebFetch } from '../oauth/web-fetch.ts';
import type { CommandContext } from './command-context.ts';
import { readPublicNetwork } from './network.ts';

const maxRedirects = 5;

/**
 * Reads a text that is not of a salon: without keys and headers of the profile, with its proxies, time limit and CA file.
 * Follows redirects.
 */
export async function readPublicText(address: string, { io, messages, session }: CommandContext) {
  const network = await readPublicNetwork({ session: await session(), io, messages });
  await using web = openWebFetch({ ...network, allowsRedirect: true });
  let url = new URL(address);
  for (let count = 0; count <= maxRedirects; count += 1) {
    const response = await web.fetch(url.href, { method: 'GET', headers: {}, body: undefined });
    const { status } = response;
    if (status === 200) return response.text();
    const target = status < 400 ? response.headers.get('location') : null;
    const next = target === null ? null : URL.parse(target, url.href);
    if (!next || (next.protocol !== 'https:' && next.protocol !== url.protocol)) {
      throw new SalonError('unexpected_response', `${url.href} responds with ${status}.`, {
        status,
        hint: 'Try again later.',
      });
    }
    url = next;
  }
  throw new SalonError('unexpected_response', `${address} redirects more than ${maxRedirects} times.`);
}
