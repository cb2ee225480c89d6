import type { Postbox } from '../../client/post-webhook.ts';
import { SalonError } from '../../contract/errors.ts';
import type { CommandContext } from '../session/command-context.ts';
import { readProxyRoute } from '../session/connection.ts';

/** The address that webhooks are sent to. Throws `usage`, naming the flag. */
export function parseTarget(text: string, flag: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return url;
  throw new SalonError('usage', `${flag} needs an http or https address, not "${text}".`, {
    hint: 'Such as http://localhost:3000/hook, without a user name.',
  });
}

/** Opens the way to a receiver; closed when the call is over. What runs on this machine is reached directly. */
export async function openTarget(
  url: URL,
  { io, session, closeAtEnd: keep }: CommandContext,
): Promise<Postbox> {
  const { openPostbox } = await import('../../client/post-webhook.ts');
  const { timeoutMs } = (await session()).settings;
  const proxy = isLoopback(url) ? undefined : readProxyRoute(io.env);
  return keep(openPostbox({ url, timeoutMs: timeoutMs.value, proxy }));
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
