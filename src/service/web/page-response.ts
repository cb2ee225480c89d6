import type { FastifyReply } from 'fastify';
import { addSecurityHeaders } from './page.ts';
import type { PageVisit } from './visit.ts';

export interface HtmlResponse {
  readonly html: string;
  readonly status?: number;
  /** Where a redirect after a form of the page may lead, besides the service itself: Chromium checks that, too. */
  readonly formTargets?: readonly string[];
  readonly retryAfterMs?: number;
}

/** What a page sends. */
export type PageResponse =
  | HtmlResponse
  /** A path of this service, or a URL that was checked. */
  | { readonly redirect: string; readonly notice?: string }
  | { readonly json: object; readonly status?: number };

/** A page and what its forms do. */
export interface WebPage {
  /** Only for people who have signed in: `visit.session` is there. */
  readonly isPrivate?: boolean;
  render(visit: PageVisit): Promise<PageResponse>;
  /** Takes a form that was sent from a page of this service; without it, the page has no form. */
  accept?(visit: PageVisit, form: URLSearchParams): Promise<PageResponse>;
}

const noticeSeconds = 60;
const yearSeconds = 31_536_000;

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

/** Sends what a page answers, never to be stored, nor shown in a frame. */
export function sendResponse(
  reply: FastifyReply,
  visit: Pick<PageVisit, 'cookies' | 'origin'>,
  response: PageResponse,
): FastifyReply {
  addPageHeaders(reply, visit.origin);
  if ('redirect' in response) {
    if (response.notice !== undefined) {
      visit.cookies.set('notice', Buffer.from(response.notice).toString('base64url'), noticeSeconds);
    }
    return reply.code(303).header('location', response.redirect).send();
  }
  reply.code(response.status ?? 200);
  if ('json' in response) {
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(response.json));
  }
  return sendHtml(reply, response);
}

export function sendHtml(reply: FastifyReply, response: HtmlResponse): FastifyReply {
  const { html, status = 200, formTargets, retryAfterMs } = response;
  if (retryAfterMs !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterMs / 1000)));
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', toPolicy(formTargets))
    .send(html);
}

export function addPageHeaders(reply: FastifyReply, origin: string | undefined): FastifyReply {
  addSecurityHeaders(reply)
    // Never a path, which may contain a link's token. Without any referrer, browsers would send forms with the origin "null".
    .header('referrer-policy', 'strict-origin')
    .header('x-frame-options', 'DENY')
    .header('cache-control', 'no-store');
  if (origin?.startsWith('https:')) reply.header('strict-transport-security', `max-age=${yearSeconds}`);
  return reply;
}
