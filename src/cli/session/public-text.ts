import { openConnection } from '../../client/http/http-connection.ts';
import { readProxySettings } from '../../client/http/proxy.ts';
import { send } from '../../client/http/send.ts';
import { readHeader } from '../../client/response-headers.ts';
import { SalonError } from '../../contract/errors.ts';
import { version } from '../io.ts';
import type { CommandContext } from './command-context.ts';
import { readNetworkOptions } from './network.ts';

const maxRedirects = 5;
const maxResponseBytes = 1_048_576;

/**
 * Reads a text that is not of a salon: without keys and headers of the profile, with its proxies, time limit and CA file.
 * Follows redirects.
 */
export async function readPublicText(
  address: string,
  { io, messages, session: openSession }: Pick<CommandContext, 'io' | 'messages' | 'session'>,
): Promise<string> {
  const session = await openSession();
  const silent = { ...messages, warn() {} };
  const { tls = {} } = await readNetworkOptions(session, { io, messages: silent });
  const timeoutMs = session.settings.timeout.value;
  const headers = { 'user-agent': `salon/${version}` };
  let url = new URL(address);
  for (let count = 0; count <= maxRedirects; count += 1) {
    const { origin, pathname, search } = url;
    const connection = openConnection({
      origin,
      concurrency: 1,
      connectTimeoutMs: timeoutMs / 2,
      proxy: readProxySettings(io.env),
      tls: { ca: tls.ca },
      stop: io.signal,
    });
    try {
      const request = {
        method: 'GET',
        origin,
        path: pathname + search,
        headers,
        body: undefined,
        allowsRedirect: true,
      };
      const response = await send(connection, request, { timeoutMs, maxResponseBytes, signal: io.signal });
      messages.verbose(`GET ${origin}${pathname}: ${response.status}`);
      if (response.status === 200) return Buffer.from(response.bytes).toString();
      const target = response.status < 400 ? readHeader(response.headers, 'location') : undefined;
      const next = target === undefined ? undefined : URL.parse(target, url.href);
      if (!next || (next.protocol !== 'https:' && next.protocol !== url.protocol)) {
        throw new SalonError('unexpected_response', `${url.href} responds with ${response.status}.`, {
          status: response.status,
          hint: 'Try again later.',
        });
      }
      url = next;
    } finally {
      await connection.close();
    }
  }
  throw new SalonError('unexpected_response', `${address} redirects more than ${maxRedirects} times.`);
}
