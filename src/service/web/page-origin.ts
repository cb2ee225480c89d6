import type { FastifyRequest } from 'fastify';

/** Whether pages are served under the address that a browser asked for. */
export type OriginCheck =
  | { readonly status: 'right'; readonly origin: string }
  /** The same page under the origin that it belongs to. */
  | { readonly status: 'elsewhere'; readonly origin: string }
  | { readonly status: 'refused'; readonly reason: string; readonly origin?: string };

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Pages with a session are served under one origin: the public URL with HTTPS, or `http://localhost` for a service of
 * this machine. Passkeys need a host name, so 127.0.0.1 is answered with a redirect.
 */
export function checkOrigin(request: FastifyRequest, publicUrl: string | undefined): OriginCheck {
  return publicUrl === undefined ? checkLocalHost(request.host) : checkPublicHost(request, publicUrl);
}

function checkLocalHost(host: string): OriginCheck {
  const asked = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  if (asked === undefined || !loopbackNames.has(asked.hostname)) {
    const reason =
      'Signing in needs HTTPS, and this service does not know its HTTPS address. Its operator sets it with --public-url.';
    return { status: 'refused', reason };
  }
  const origin = toLocalhost(asked);
  return asked.origin === origin ? { status: 'right', origin } : { status: 'elsewhere', origin };
}

function checkPublicHost({ host, headers }: FastifyRequest, publicUrl: string): OriginCheck {
  const expected = new URL(publicUrl);
  const isLocal = loopbackNames.has(expected.hostname);
  if (expected.protocol !== 'https:' && !isLocal) {
    const reason = `Signing in needs HTTPS, and the public URL of this service is ${publicUrl}. Its operator sets another with --public-url.`;
    return { status: 'refused', reason };
  }
  const origin = isLocal ? toLocalhost(expected) : expected.origin;
  const asked = `${expected.protocol}//${host}`;
  if (!URL.canParse(asked) || new URL(asked).host !== new URL(origin).host) {
    if (isLocal) return { status: 'elsewhere', origin };
    // A redirect would never end behind a proxy that changes the header.
    const reason = `This page belongs to ${origin}, and was requested from ${host}. If you opened ${origin}, the proxy in front of the service changes the Host header: it has to pass it on.`;
    return { status: 'refused', reason, origin };
  }
  if (!isLocal && headers['x-forwarded-proto'] === 'http') {
    return {
      status: 'refused',
      reason: 'This page was requested over plain HTTP. Signing in needs HTTPS.',
      origin,
    };
  }
  return { status: 'right', origin };
}

function toLocalhost(url: URL): string {
  return loopbackNames.has(url.hostname)
    ? `${url.protocol}//localhost${url.port && `:${url.port}`}`
    : url.origin;
}
