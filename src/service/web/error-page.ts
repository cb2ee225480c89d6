import { isProblemCode, problems, SalonError } from '../../contract/errors.ts';
import { linkButton } from './components.ts';
import { renderSmallPage } from './layout.ts';
import { PageError } from './web-page.ts';

/** The page of an error. The cause of an error of the service itself is not shown. */
export function renderErrorPage(error: unknown, requestId: string) {
  const { status, text } = toPageError(error);
  const { title, reason: lead, link, refusal } = text;
  const body = linkButton(link ?? { href: '/settings', label: 'Back to settings' });
  return {
    status,
    html: renderSmallPage({ title, lead, body, footer: `Request ID: ${requestId}` }),
    retryAfterMs: error instanceof SalonError ? error.retryAfterMs : undefined,
    /** What the audit log calls it; undefined for what is no attempt at anything. */
    refusal,
  };
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
