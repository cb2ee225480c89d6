import type { FastifyReply, FastifyRequest } from 'fastify';
import { isProblemCode, problems, SalonError } from '../../contract/errors.ts';
import { anonymous } from '../domain/audit.ts';
import { recordRefusal, recordRefusedCaller } from '../domain/audit-access.ts';
import { toClientAddress } from '../identity/address-ranges.ts';
import { linkButton } from './components.ts';
import { renderSmallPage } from './layout.ts';
import { addPageHeaders } from './page-headers.ts';
import { sendHtml, sendResponse } from './page-response.ts';
import type { PageServices, PageVisit } from './visit.ts';
import { type Exchange, PageError } from './web-page.ts';

/** Shows an error as a page, and records what was refused. Errors of the service itself are logged with their cause. */
export async function showError(
  services: PageServices,
  error: unknown,
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const { visit } = request;
  if (visit?.session && error instanceof SalonError && error.code === 'confirmation_required') {
    return sendResponse({ reply, visit }, toConfirmation(visit));
  }
  const { status, text } = toPageError(error);
  const { title, reason, link, refusal } = text;
  if (refusal !== undefined) await recordRefusedPage(request, services.context, refusal);
  if (status >= 500) {
    const cause = error instanceof SalonError ? (error.cause ?? error) : error;
    request.log.error({ err: cause }, 'page failed');
  }
  const body = linkButton(link ?? { href: '/settings', label: 'Back to settings' });
  return sendHtml(addPageHeaders(reply, undefined), {
    status,
    html: await renderSmallPage({ title, lead: reason, body, footer: `Request ID: ${request.id}` }),
    retryAfterMs: error instanceof SalonError ? error.retryAfterMs : undefined,
  });
}

/** Asks for the password or a passkey again, and leads back to the page. */
export function toConfirmation({ path }: PageVisit) {
  return { redirect: `/sign-in/confirm?${new URLSearchParams({ return_to: path })}` };
}

export function formTooLarge(): PageError {
  const reason = 'This form is too large. Shorten it and send it again.';
  return new PageError(413, { title: 'Too large', reason, refusal: 'payload_too_large' });
}

function toPageError(error: unknown): PageError {
  if (error instanceof PageError) return error;
  if (error instanceof SalonError && error.code === 'payload_too_large') return formTooLarge();
  if (error instanceof SalonError && error.code !== 'internal_error' && error.status !== undefined) {
    const title = isProblemCode(error.code) ? problems[error.code].title : 'Not possible';
    const refusal = error.status === 403 ? { refusal: error.code } : {};
    return new PageError(error.status, { title, reason: error.message, ...refusal });
  }
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 400) {
    return new PageError(400, {
      title: 'Incomplete request',
      reason: 'The request was incomplete. Send the form again.',
    });
  }
  const reason = 'Try again. If it happens again, tell the operator of the service the request ID.';
  return new PageError(500, { title: 'Something went wrong', reason });
}

const maxPath = 100;

/** Records a refused page or form. A log that cannot be written changes nothing for the person. */
export async function recordRefusedPage(
  request: FastifyRequest,
  { database, environment }: Pick<PageVisit, 'database' | 'environment'>,
  code: string,
): Promise<void> {
  const { url } = request.routeOptions;
  // A link's path contains its token.
  const place = url?.includes(':token') ? url : (request.url.split('?', 1)[0] ?? '').slice(0, maxPath);
  const refusal = { operation: `${request.method} ${place}`, code };
  const source = { requestId: request.id, address: toClientAddress(request) };
  const context = { database, environment, source };
  const caller = request.visit?.session?.caller;
  try {
    await (caller === undefined
      ? recordRefusal(context, { accountId: null, actor: anonymous, ...refusal })
      : recordRefusedCaller({ ...context, caller }, refusal));
  } catch (thrown) {
    request.log.error({ err: thrown }, 'refusal not recorded');
  }
}
