import type { FastifyRequest } from 'fastify';
import { PageError } from './web-page.ts';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

interface PageOrigin {
  readonly origin: string;
  /** Whether the browser asked for another origin, which leads to this one. */
  readonly isElsewhere: boolean;
}

/**
 * Pages with a session are served under one origin: the public URL with HTTPS, or `http://localhost` for a service of
 * this machine. Passkeys need a host name, so 127.0.0.1 is answered with a redirect. Throws a page where they are not
 * served under what the browser asked for.
 */
export function findPageOrigin(request: FastifyRequest, publicUrl: string | undefined): PageOrigin {
  return publicUrl === undefined ? findLocalOrigin(request) : findPublicOrigin(request, publicUrl);
}

function findLocalOrigin(request: FastifyRequest): PageOrigin {
  const text = `http://${request.host}`;
  const asked = URL.canParse(text) ? new URL(text) : undefined;
  if (asked === undefined || !loopbackNames.has(asked.hostname)) {
    const reason =
      'Signing in needs HTTPS, and this service does not know its HTTPS address. Its operator sets it with --public-url.';
    throw notHere(request, reason);
  }
  const origin = toLocalhost(asked);
  return { origin, isElsewhere: asked.origin !== origin };
}

function findPublicOrigin(request: FastifyRequest, publicUrl: string): PageOrigin {
  const { host, headers } = request;
  const expected = new URL(publicUrl);
  const isLocal = loopbackNames.has(expected.hostname);
  if (expected.protocol !== 'https:' && !isLocal) {
    const reason = `Signing in needs HTTPS, and the public URL of this service is ${publicUrl}. Its operator sets another with --public-url.`;
    throw notHere(request, reason);
  }
  const origin = isLocal ? toLocalhost(expected) : expected.origin;
  const asked = `${expected.protocol}//${host}`;
  const isElsewhere = !URL.canParse(asked) || new URL(asked).host !== new URL(origin).host;
  if (isElsewhere && !isLocal) {
    // A redirect would never end behind a proxy that changes the header.
    const reason = `This page belongs to ${origin}, and was requested from ${host}. If you opened ${origin}, the proxy in front of the service changes the Host header: it has to pass it on.`;
    throw notHere(request, reason, origin);
  }
  if (!isLocal && headers['x-forwarded-proto'] === 'http') {
    throw notHere(request, 'This page was requested over plain HTTP. Signing in needs HTTPS.', origin);
  }
  return { origin, isElsewhere };
}

function toLocalhost({ protocol, port }: URL): string {
  return `${protocol}//localhost${port && `:${port}`}`;
}

/** Says why a page is not served under this address, with a link to the right one if it is known. */
export function notHere({ url }: FastifyRequest, reason: string, origin?: string): PageError {
  const link = origin === undefined ? {} : { link: { href: `${origin}${url}`, label: `Open ${origin}` } };
  return new PageError(403, { title: 'This page is not available here', reason, ...link });
}
