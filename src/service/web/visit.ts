import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Action, accessByRole, type Role } from '../../contract/roles.ts';
import type { Context, Environment, RequestSource, ServiceUser } from '../domain/context.ts';
import { toClientAddress } from '../identity/address-ranges.ts';
import type { Browser, PersonContext, SignInContext, SignInServices } from '../identity/identity.ts';
import { type ReadSession, readSession } from '../identity/sessions.ts';
import { type Html, html } from './html.ts';

/** What pages need of the service. */
export interface PageServices {
  readonly context: Omit<Context, 'caller' | 'source'>;
  readonly identity: SignInServices;
  /** The origin that clients use; undefined for a service of this machine. */
  readonly publicUrl: string | undefined;
}

/** A request for a page: the context of what may be done without a session. */
export interface PageVisit extends SignInContext {
  readonly checkAddress: Context['checkAddress'];
  /** The origin of all pages, such as `https://salon.example`. */
  readonly origin: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The named parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly browser: Browser;
  readonly cookies: Cookies;
  readonly session: (ReadSession & { readonly token: string }) | undefined;
  /** What the token of a form must be made from; undefined if no page with a form was shown in this browser. */
  readonly formSecret: string | undefined;
  /** The hidden field of every form. Only pages with forms set its cookie. */
  csrf(): Html;
}

/** A request of a person who has signed in: the caller is of a session. */
export interface PageContext extends PageVisit, PersonContext {
  readonly user: ServiceUser;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a page whose address was right. */
    visit?: PageVisit;
  }
}

export const formTokenField = 'csrf';
const secretBytes = 32;

/** Reads who visits a page. Ended sessions lose their cookie. */
export async function openVisit(
  services: PageServices,
  { request, reply, origin }: { request: FastifyRequest; reply: FastifyReply; origin: string },
): Promise<PageVisit> {
  const { database, environment } = services.context;
  const source: RequestSource = { requestId: request.id, address: toClientAddress(request) };
  const cookies = openCookies(request, reply, origin);
  const token = cookies.read('session');
  const found = token === undefined ? undefined : await readSession(database, environment, token);
  if (found === undefined) cookies.clear('session');
  const session = token === undefined || found === undefined ? undefined : { ...found, token };
  request.caller = session?.caller ?? null;

  // A form that was opened in one account must not change another, to which the person has switched since.
  const formSecret =
    session === undefined ? cookies.read('form') : `${session.token} ${session.caller.account.id}`;
  let field: Html | undefined;
  const url = new URL(request.url, origin);
  return {
    ...services.context,
    identity: services.identity,
    source,
    origin,
    path: url.pathname,
    query: url.searchParams,
    params: request.params as Record<string, string>,
    browser: { device: cookies.read('device'), userAgent: request.headers['user-agent'] ?? null },
    cookies,
    session,
    formSecret,
    csrf() {
      if (field === undefined) {
        const token = createFormToken(environment, formSecret ?? startForms());
        field = html`<input type="hidden" name="${formTokenField}" value="${token}">`;
      }
      return field;
    },
  };

  function startForms(): string {
    const secret = Buffer.from(environment.random(secretBytes)).toString('base64url');
    cookies.set('form', secret);
    return secret;
  }
}

/** The context of a person who has signed in. Throws for a visit without a session. */
export function toPageContext(visit: PageVisit): PageContext {
  const { caller } = visit.session ?? {};
  if (caller?.credential.kind !== 'session') throw new Error('A private page was opened without a session.');
  return { ...visit, caller, user: caller.credential.user };
}

/** Whether the role of a person has a right; `none` needs none. */
export function mayDo(role: Role, action: Action | 'none'): boolean {
  return action === 'none' || accessByRole[action][role] !== 'none';
}

/** What the pages keep in a browser. */
type CookieName = 'session' | 'form' | 'ticket' | 'device' | 'notice';

/**
 * Over HTTPS, `__Host-` cookies, which no other host can set. On localhost, browsers share cookies between ports, so
 * their names contain the port.
 */
function openCookies({ cookies }: FastifyRequest, reply: FastifyReply, origin: string) {
  const { protocol, port } = new URL(origin);
  const secure = protocol === 'https:';
  const toName = (name: CookieName) => (secure ? `__Host-salon-${name}` : `salon-${name}-${port || '80'}`);
  const set = (name: CookieName, value: string, maxAge?: number) => {
    const age = maxAge === undefined ? {} : { maxAge };
    reply.setCookie(toName(name), value, { path: '/', httpOnly: true, sameSite: 'lax', secure, ...age });
  };
  return {
    read: (name: CookieName) => cookies[toName(name)],
    /** Without an age, the cookie ends with the browser's session. */
    set,
    clear(name: CookieName) {
      if (cookies[toName(name)] !== undefined) set(name, '', 0);
    },
  };
}

/** The cookies of a request, and those of its response. Values are letters, digits and `-._:`. */
type Cookies = ReturnType<typeof openCookies>;

const nonceBytes = 16;
const digestBytes = 32;

/**
 * Makes the token of a page's forms. It proves that a form comes from a page that was shown in this browser: another
 * site knows neither the session's cookie nor what is derived from it.
 */
function createFormToken(environment: Pick<Environment, 'random'>, secret: string): string {
  const nonce = Buffer.from(environment.random(nonceBytes)).toString('base64url');
  return `${nonce}.${sign(nonce, secret).toString('base64url')}`;
}

export function isFormToken(token: string, secret: string): boolean {
  const [nonce = '', digest = ''] = token.split('.', 2);
  const given = Buffer.from(digest, 'base64url');
  return given.length === digestBytes && timingSafeEqual(given, sign(nonce, secret));
}

function sign(nonce: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(`form ${nonce}`).digest();
}
