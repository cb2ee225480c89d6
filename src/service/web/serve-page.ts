import type { FastifyReply, FastifyRequest } from 'fastify';
import { SalonError } from '../../contract/errors.ts';
import { sessionLimits } from '../../contract/limits.ts';
import { insertUsedTicket } from '../db/identity/one-time-links.ts';
import { anonymous } from '../domain/audit.ts';
import { recordRefusal, recordRefusedCaller } from '../domain/audit-refusals.ts';
import type { Caller, Context } from '../domain/context.ts';
import { toClientAddress } from '../identity/address-ranges.ts';
import { toTokenHash } from '../identity/random-token.ts';
import { formTooLarge, isTooLarge, PageError, renderErrorPage } from './error-page.ts';
import { checkOrigin } from './page-origin.ts';
import { addPageHeaders, type PageResponse, sendHtml, sendResponse, type WebPage } from './page-response.ts';
import { securityPath } from './settings/security/security-path.ts';
import { formTokenField, isFormToken, openVisit, type PageServices, type PageVisit } from './visit.ts';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Answers a request for a page: checks its address, its session and where its form comes from, and shows errors. */
export async function servePage(
  services: PageServices,
  page: WebPage,
  exchange: Exchange,
): Promise<FastifyReply> {
  const { request, reply } = exchange;
  let visit: PageVisit | undefined;
  try {
    const isForm = request.method === 'POST';
    const check = checkOrigin(request, services.publicUrl);
    if (check.status === 'refused') throw toRefusal(check, request);
    const { origin } = check;
    if (check.status === 'elsewhere') {
      if (isForm) throw toRefusal({ reason: `This page belongs to ${origin}.`, origin }, request);
      return addPageHeaders(reply, origin).redirect(`${origin}${request.url}`, 308);
    }
    visit = await openVisit(services, { request, reply, origin });
    if (visit.hasUnknownSession) await recordUnknownSession(visit, request);
    if (page.isPrivate && visit.session === undefined)
      return sendResponse(reply, visit, toSignIn(visit, request));
    if (page.isPrivate && visit.session?.session.lacksFactor && !withoutFactor.test(visit.path))
      return sendResponse(reply, visit, { redirect: securityPath, notice: addFactor });
    return sendResponse(reply, visit, isForm ? await accept(page, visit, request) : await page.render(visit));
  } catch (error) {
    if (visit !== undefined) await recordRefusedVisit(visit, error, request);
    return sendErrorPage(error, exchange);
  }
}

/** Answers a request that was refused before its page could be asked. */
export async function refuseRequest(
  services: PageServices,
  error: unknown,
  exchange: Exchange,
): Promise<FastifyReply> {
  await recordUnreadForm(services, error, exchange.request);
  return sendErrorPage(error, exchange);
}

/** What is left to a person who has to add a second factor: that, confirming who they are, and signing out. */
const withoutFactor = /^\/(?:settings\/security(?:\/|$)|sign-in\/confirm$|sign-out$|account-switch$)/;
const addFactor =
  'This salon requires a second factor. Set up an authenticator app, or add a passkey, and then continue.';

/** Shows an error as a page. Errors of the service itself are logged with their cause. */
function sendErrorPage(error: unknown, { request, reply }: Exchange): FastifyReply {
  const page = renderErrorPage(error, request.id);
  if (page.status >= 500) {
    const cause = error instanceof SalonError ? (error.cause ?? error) : error;
    request.log.error({ err: cause }, 'page failed');
  }
  return sendHtml(addPageHeaders(reply, undefined), page);
}

function toRefusal(
  { reason, origin }: { reason: string; origin?: string },
  request: FastifyRequest,
): PageError {
  const link =
    origin === undefined ? {} : { link: { href: `${origin}${request.url}`, label: `Open ${origin}` } };
  return new PageError(403, { title: 'This page is not available here', reason, ...link });
}

/** After signing in, the person comes back; what a form contained is lost. */
function toSignIn({ path, query }: PageVisit, request: FastifyRequest): PageResponse {
  const search = query.size > 0 && request.method !== 'POST' ? `?${query}` : '';
  return { redirect: `/sign-in?${new URLSearchParams({ return_to: `${path}${search}` })}` };
}

async function accept(page: WebPage, visit: PageVisit, request: FastifyRequest): Promise<PageResponse> {
  if (page.accept === undefined) {
    throw new PageError(405, { title: 'Nothing to send', reason: 'This page has no form.' });
  }
  const form = readForm(request);
  assertOwnForm(visit, form, request);
  if (visit.session !== undefined) await assertSentOnce(visit, form);
  return page.accept(visit, form);
}

/** Enough for every form. A longer one was read before it is refused, so that browsers see the answer. */
const formBytes = 65_536;
const formType = /^application\/x-www-form-urlencoded *(?:; *charset *= *"?utf-8"? *)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

function readForm({ body, headers }: FastifyRequest): URLSearchParams {
  if (!formType.test(headers['content-type'] ?? '')) {
    throw new PageError(415, { title: 'Not a form', reason: 'This page accepts only forms.' });
  }
  if (body instanceof Uint8Array && body.length > formBytes) throw formTooLarge();
  try {
    return new URLSearchParams(body instanceof Uint8Array ? utf8.decode(body) : '');
  } catch (error) {
    throw new PageError(400, { title: 'Not a form', reason: `The form is not UTF-8: ${error}` });
  }
}

/** Throws unless a form comes from a page of this service in this browser. */
function assertOwnForm(visit: PageVisit, form: URLSearchParams, { headers }: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isForeign =
    (origin !== undefined && origin !== visit.origin) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none');
  if (isForeign) {
    throw new PageError(403, {
      title: 'Sent from another site',
      reason: 'This form was not sent from a page of this service. Nothing was changed.',
      link: { href: visit.path, label: 'Open the page' },
      refusal: 'foreign_form',
    });
  }
  const token = form.get(formTokenField) ?? '';
  if (visit.formSecret !== undefined && isFormToken(token, visit.formSecret)) return;
  const reason =
    visit.formSecret === undefined
      ? 'The browser did not send the cookie of this form. Allow cookies for this service, and open the page again.'
      : 'You have signed in or out, or switched accounts, since this page was opened. Nothing was changed: open the page again.';
  throw new PageError(403, {
    title: 'This page is out of date',
    reason,
    link: { href: visit.path, label: 'Open the page again' },
    refusal: 'stale_form',
  });
}

/**
 * Refuses a form that was sent before, byte by byte: with the back button, by loading the answer again, or by somebody
 * who has recorded it. A page that is opened again has another token.
 */
async function assertSentOnce({ context, path }: PageVisit, form: URLSearchParams): Promise<void> {
  const now = context.environment.now().getTime();
  const hash = toTokenHash(`form ${form.get(formTokenField)} ${path} ${form}`);
  const ticket = { hash, expires_ms: now + sessionLimits.totalMs };
  if (await context.database.transaction('rows', (tx) => insertUsedTicket(tx, ticket, now))) return;
  throw new PageError(409, {
    title: 'Already sent',
    reason: 'This form was sent before, and nothing was done again. Open the page again to see the result.',
    link: { href: path, label: 'Open the page' },
    refusal: 'form_sent_again',
  });
}

const maxPath = 100;

/** Records a page or form that was refused to somebody. */
async function recordRefusedVisit(
  { context, session }: Pick<PageVisit, 'context' | 'session'>,
  error: unknown,
  request: FastifyRequest,
): Promise<void> {
  const code = toVisitRefusal(error);
  if (code !== undefined) await record(context, { request, code, caller: session?.caller });
}

/** Records a form that was too large to be read. */
async function recordUnreadForm(
  { context }: PageServices,
  error: unknown,
  request: FastifyRequest,
): Promise<void> {
  if (!isTooLarge(error)) return;
  const source = { requestId: request.id, address: toClientAddress(request) };
  await record({ ...context, source }, { request, code: 'payload_too_large' });
}

/** Records a cookie whose session has ended, or never was. */
function recordUnknownSession({ context }: PageVisit, request: FastifyRequest): Promise<void> {
  return record(context, { request, code: 'session_unknown' });
}

interface RefusedRequest {
  readonly request: FastifyRequest;
  readonly code: string;
  readonly caller?: Caller | undefined;
}

/** A log that cannot be written changes nothing for the person. */
async function record(
  context: Pick<Context, 'database' | 'environment' | 'source'>,
  { request, code, caller }: RefusedRequest,
): Promise<void> {
  const { url } = request.routeOptions;
  // A link's path contains its token.
  const place = url?.includes(':token') ? url : (request.url.split('?', 1)[0] ?? '').slice(0, maxPath);
  const refusal = { operation: `${request.method} ${place}`, code };
  try {
    await (caller === undefined
      ? recordRefusal(context.database, context, { accountId: null, actor: anonymous, ...refusal })
      : recordRefusedCaller({ ...context, caller }, refusal));
  } catch (thrown) {
    request.log.error({ err: thrown }, 'refusal not recorded');
  }
}

function toVisitRefusal(error: unknown): string | undefined {
  if (error instanceof PageError) return error.refusal;
  return error instanceof SalonError && error.status === 403 ? error.code : undefined;
}
