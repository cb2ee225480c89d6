import { isProblemCode, problems, SalonError } from '../../contract/errors.ts';
import { linkButton } from './components.ts';
import { renderSmallPage } from './layout.ts';
import type { HtmlResponse } from './page-response.ts';

/** A page that is not shown, with the reason for the person who asked for it. */
export class PageError extends Error {
  readonly status: number;
  readonly title: string;
  readonly link: PageErrorLink | undefined;
  readonly refusal: string | undefined;

  constructor(status: number, { title, reason, link, refusal }: PageErrorText) {
    super(reason);
    this.status = status;
    this.title = title;
    this.link = link;
    this.refusal = refusal;
  }
}

export interface PageErrorText {
  readonly title: string;
  /** A sentence or two: why, and what to do. */
  readonly reason: string;
  /** By default to the settings. */
  readonly link?: PageErrorLink;
  /** What the audit log calls it; undefined for what is no attempt at anything. */
  readonly refusal?: string;
}

interface PageErrorLink {
  readonly href: string;
  readonly label: string;
}

const settingsLink: PageErrorLink = { href: '/settings', label: 'Back to settings' };

/** The page of an error. The cause of an error of the service itself is not shown. */
export function renderErrorPage(error: unknown, requestId: string): HtmlResponse & { status: number } {
  const { status, title, message, link } = toPageError(error);
  const body = linkButton(link ?? settingsLink);
  const footer = `Request ID: ${requestId}`;
  const retryAfterMs = error instanceof SalonError ? error.retryAfterMs : undefined;
  return {
    status,
    html: renderSmallPage({ title, lead: message, body, footer }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

export function formTooLarge(): PageError {
  const reason = 'This form is too large. Shorten it and send it again.';
  return new PageError(413, { title: 'Too large', reason, refusal: 'payload_too_large' });
}

/** Whether a form was too large to be read. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof SalonError && error.code === 'payload_too_large';
}

function toPageError(error: unknown): PageError {
  if (error instanceof PageError) return error;
  if (isTooLarge(error)) return formTooLarge();
  if (error instanceof SalonError && error.code !== 'internal_error' && error.status !== undefined) {
    const title = isProblemCode(error.code) ? problems[error.code].title : 'Not possible';
    return new PageError(error.status, { title, reason: error.message });
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
