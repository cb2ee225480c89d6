import type { FastifyReply } from 'fastify';

/** An HTML page and its Content-Security-Policy. */
export interface HtmlPage {
  readonly html: string;
  readonly policy: string;
}

export function sendPage(reply: FastifyReply, { html, policy }: HtmlPage): FastifyReply {
  return addSecurityHeaders(reply)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .send(html);
}

/** Disables content sniffing, referrers and cross-origin embedding. */
export function addSecurityHeaders(reply: FastifyReply): FastifyReply {
  return reply
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin');
}

const yearSeconds = 31_536_000;

/** The headers of pages with a session: never stored, nor shown in a frame. */
export function addPageHeaders(reply: FastifyReply, origin: string | undefined): FastifyReply {
  addSecurityHeaders(reply)
    // Never a path, which may contain a link's token. Without any referrer, browsers would send forms with the origin
    // "null".
    .header('referrer-policy', 'strict-origin')
    .header('x-frame-options', 'DENY')
    .header('cache-control', 'no-store');
  if (origin?.startsWith('https:')) reply.header('strict-transport-security', `max-age=${yearSeconds}`);
  return reply;
}

/** Only own files, no frames, and nothing written as HTML by scripts. */
export function toPolicy(formTargets: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}
