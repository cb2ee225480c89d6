import type { FastifyReply, FastifyRequest } from 'fastify';
import { insertUsedTicket } from '../db/identity/one-time-links.ts';
import { permissionDenied } from '../domain/authorization.ts';
import { sessionLimits } from '../domain/limits.ts';
import { isConfirmed } from '../identity/sessions.ts';
import { toTokenHash } from '../identity/tickets.ts';
import { formTooLarge, recordRefusedPage, toConfirmation } from './error-page.ts';
import { addPageHeaders } from './page-headers.ts';
import { findPageOrigin, notHere } from './page-origin.ts';
import { sendResponse } from './page-response.ts';
import {
  formTokenField,
  isFormToken,
  mayDo,
  openVisit,
  type PageServices,
  type PageVisit,
  toPageContext,
} from './visit.ts';
import {
  type Exchange,
  FormError,
  PageError,
  type PageResponse,
  type PageRoute,
  type RefusedForm,
  type WebPage,
} from './web-page.ts';

interface PageExchange extends Exchange {
  readonly services: PageServices;
  readonly route: PageRoute;
}

/** Shows the page, or does what its form asks for, after every check. */
export async function servePage(exchange: PageExchange): Promise<FastifyReply> {
  const { services, route, request, reply } = exchange;
  const { origin, isElsewhere } = findPageOrigin(request, services.publicUrl);
  if (isElsewhere) {
    if (request.method === 'POST') throw notHere(request, `This page belongs to ${origin}.`, origin);
    return addPageHeaders(reply, origin).redirect(`${origin}${request.url}`, 308);
  }
  const { pathname, search } = new URL(request.url, origin);
  if (pathname.startsWith('/settings/') && pathname.endsWith('/')) {
    return addPageHeaders(reply, origin).redirect(`${pathname.slice(0, -1)}${search}`, 308);
  }
  const visit = await openVisit(services, { request, reply, origin });
  request.visit = visit;
  const detour = await requireSession(visit, route, request);
  if (detour !== undefined) return sendResponse({ reply, visit }, detour);
  const sent = request.method === 'POST' ? await readOwnForm(visit, request) : undefined;
  assertRight(visit, route);
  if (mustConfirm(visit, route)) return sendResponse({ reply, visit }, toConfirmation(visit));
  return route.isPublic
    ? answer(exchange, await route.load(exchange), { visitor: visit, sent })
    : answer(exchange, await route.load(exchange), { visitor: toPageContext(visit), sent });
}

/** Leads to the sign-in, and to a second factor where one is missing. */
async function requireSession(
  visit: PageVisit,
  route: PageRoute,
  request: FastifyRequest,
): Promise<PageResponse | undefined> {
  const { session } = visit;
  // A session that has ended, or never was.
  if (session === undefined && visit.cookies.read('session') !== undefined) {
    await recordRefusedPage(request, visit, 'session_unknown');
  }
  if (route.isPublic) return undefined;
  if (session === undefined) return { redirect: toSignIn(visit, request) };
  if (!session.session.lacksFactor || route.isForAddingFactor) return undefined;
  const notice =
    'This salon requires a second factor. Set up an authenticator app, or add a passkey, and then continue.';
  return { redirect: '/settings/security', notice };
}

/** After signing in, the person comes back; what a form contained is lost. */
function toSignIn({ path, query }: PageVisit, request: FastifyRequest): string {
  const search = query.size > 0 && request.method !== 'POST' ? `?${query}` : '';
  return `/sign-in?${new URLSearchParams({ return_to: `${path}${search}` })}`;
}

/** Reads a form. It must come from a page of this service in this browser, and be sent for the first time. */
async function readOwnForm(visit: PageVisit, request: FastifyRequest): Promise<URLSearchParams> {
  const form = readForm(request);
  assertOwnForm(visit, form, request);
  if (visit.session !== undefined) await assertSentOnce(visit, form);
  return form;
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
async function assertSentOnce(
  { database, environment, path }: PageVisit,
  form: URLSearchParams,
): Promise<void> {
  const now = environment.now().getTime();
  const hash = toTokenHash(`form ${form.get(formTokenField)} ${path} ${form}`);
  const ticket = { hash, expires_ms: now + sessionLimits.totalMs };
  if (await database.transaction('rows', (tx) => insertUsedTicket(tx, ticket, now))) return;
  throw new PageError(409, {
    title: 'Already sent',
    reason: 'This form was sent before, and nothing was done again. Open the page again to see the result.',
    link: { href: path, label: 'Open the page' },
    refusal: 'form_sent_again',
  });
}

/** Throws for people who may not open the page. */
function assertRight({ session }: PageVisit, { isPublic, action }: PageRoute): void {
  if (isPublic || session === undefined || action === 'none') return;
  if (!mayDo(session.caller.role, action)) throw permissionDenied(session.caller, action);
}

/** Whether the person has to confirm who they are before this page. */
function mustConfirm({ session, environment }: PageVisit, route: PageRoute): boolean {
  if (route.isPublic || session === undefined || !route.isSensitive) return false;
  return !isConfirmed(session.session.authenticatedAt, environment.now());
}

async function answer<Visitor extends PageVisit>(
  { route, reply }: PageExchange,
  page: WebPage<Visitor>,
  { visitor, sent }: { visitor: Visitor; sent: URLSearchParams | undefined },
): Promise<FastifyReply> {
  if (sent === undefined) {
    return sendResponse({ reply, visit: visitor, route }, await page.render(visitor));
  }
  const name = sent.get('form') ?? '';
  const forms = page.forms ?? {};
  const handle = Object.hasOwn(forms, name) ? forms[name] : undefined;
  if (handle === undefined) {
    throw new PageError(400, {
      title: 'Unknown form',
      reason: 'This form is out of date. Open the page again.',
      link: { href: visitor.path, label: 'Open the page' },
    });
  }
  try {
    return sendResponse({ reply, visit: visitor, route }, await handle(visitor, sent));
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    const { errors, retryAfterMs } = error;
    const refused: RefusedForm = { sent, errors };
    const shown = await page.render(visitor, refused);
    return sendResponse({ reply, visit: visitor, route, errors, retryAfterMs }, shown);
  }
}
