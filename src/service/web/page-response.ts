import type { FastifyReply } from 'fastify';
import { listOwnAccounts } from '../identity/sessions.ts';
import type { Notice } from './components.ts';
import { Html } from './html.ts';
import { renderSettings, renderSmallPage } from './layout.ts';
import { addPageHeaders, toPolicy } from './page-headers.ts';
import { type PageVisit, toPageContext } from './visit.ts';
import type { FieldErrors, PageResponse, PageRoute } from './web-page.ts';

interface Answer {
  readonly reply: FastifyReply;
  readonly visit: PageVisit;
  /** Where a page is shown; not needed for a redirect. */
  readonly route?: PageRoute;
  /** What is wrong with the form that the page shows again. */
  readonly errors?: FieldErrors;
  /** After too many attempts. */
  readonly retryAfterMs?: number | undefined;
}

const noticeSeconds = 60;

/** Sends what a page answers. */
export async function sendResponse(answer: Answer, response: PageResponse): Promise<FastifyReply> {
  const { reply, visit, route, errors, retryAfterMs } = answer;
  addPageHeaders(reply, visit.origin);
  if ('redirect' in response) {
    if (response.notice !== undefined) {
      visit.cookies.set('notice', Buffer.from(response.notice).toString('base64url'), noticeSeconds);
    }
    return reply.code(303).header('location', response.redirect).send();
  }
  if ('json' in response) {
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(response.json));
  }
  const refusedStatus = retryAfterMs === undefined ? 422 : 429;
  const status = errors === undefined ? 200 : refusedStatus;
  const notice = takeNotice(visit);
  if (response instanceof Html) {
    if (route === undefined || !('title' in route))
      throw new Error('Only pages of the settings have no frame.');
    const context = toPageContext(visit);
    const accounts = await listOwnAccounts(context);
    const html = await renderSettings({ route, context, accounts, errors, notice, body: response });
    return sendHtml(reply, { status, retryAfterMs, html });
  }
  const { formTargets, ...frame } = response;
  const html = await renderSmallPage({ ...frame, errors, notice });
  return sendHtml(reply, { status, retryAfterMs, formTargets, html });
}

interface HtmlResponse {
  readonly html: string;
  readonly status: number;
  readonly formTargets?: readonly string[] | undefined;
  readonly retryAfterMs: number | undefined;
}

export function sendHtml(reply: FastifyReply, response: HtmlResponse): FastifyReply {
  const { html, status, formTargets, retryAfterMs } = response;
  if (retryAfterMs !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterMs / 1000)));
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', toPolicy(formTargets))
    .send(html);
}

/** The message of the form before, which is shown once. */
function takeNotice({ cookies }: PageVisit): Notice | undefined {
  const text = cookies.read('notice');
  if (text === undefined) return undefined;
  cookies.clear('notice');
  return { tone: 'good', body: Buffer.from(text, 'base64url').toString() };
}
