import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context, Environment, RequestSource } from '../domain/context.ts';
import { toClientAddress } from '../identity/address-ranges.ts';
import type { Browser, SignInContext, SignInServices } from '../identity/identity.ts';
import { type ReadSession, readSession } from '../identity/sessions.ts';
import { type Html, html } from './html.ts';

/** What pages need of the service. */
export interface PageServices {
  readonly context: Omit<Context, 'caller' | 'source'>;
  readonly identity: SignInServices;
  /** The origin that clients use; undefined for a service of this machine. */
  readonly publicUrl: string | undefined;
}

/** A request for a page. */
export interface PageVisit {
  /** For what may be done without a session. */
  readonly context: SignInContext;
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
  /** Whether the browser has sent the cookie of a session that has ended, or never was. */
  readonly hasUnknownSession: boolean;
  /** The hidden fields of every form. */
  readonly csrf: Html;
  /** What the token of a form must be made from; undefined if no page with a form was shown in this browser. */
  readonly formSecret: string | undefined;
}

export const formTokenField = 'csrf';
const secretBytes = 32;

/** Reads who visits a page. Ended sessions lose their cookie. */
export async function openVisit(
  services: PageServices,
  { request, reply, origin }: { request: FastifyRequest; reply: FastifyReply; origin: string },
): Promise<PageVisit> {
  const { database, environment, secrets, checkAddress, notify } = services.context;
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
  let csrf: Html | undefined;
  const url = new URL(request.url, origin);
  return {
    context: { database, environment, secrets, source, identity: services.identity, notify },
    checkAddress,
    origin,
    path: url.pathname,
    query: url.searchParams,
    params: request.params as Record<string, string>,
    browser: { device: cookies.read('device'), userAgent: request.headers['user-agent'] ?? null },
    cookies,
    session,
    hasUnknownSession: token !== undefined && session === undefined,
    formSecret,
    /** Made when it is used: only pages with forms set the cookie. */
    get csrf() {
      csrf ??= createFields(formSecret ?? startForms());
      return csrf;
    },
  };

  function startForms(): string {
    const secret = Buffer.from(environment.random(secretBytes)).toString('base64url');
    cookies.set('form', secret);
    return secret;
  }

  function createFields(secret: string): Html {
    return html`<input type="hidden" name="${formTokenField}" value="${createFormToken(environment, secret)}">`;
  }
}

/** What the pages keep in a browser. */
type CookieName = 'session' | 'form' | 'ticket' | 'device' | 'notice';

/** The cookies of a request, and those of its response. Values are letters, digits and `-._:`. */
interface Cookies {
  read(name: CookieName): string | undefined;
  /** Without an age, the cookie ends with the browser's session. */
  set(name: CookieName, value: string, maxAgeSeconds?: number): void;
  clear(name: CookieName): void;
}

/**
 * Over HTTPS, `__Host-` cookies, which no other host can set. On localhost, browsers share cookies between ports, so
 * their names contain the port.
 */
function openCookies(request: FastifyRequest, reply: FastifyReply, origin: string): Cookies {
  const { protocol, port } = new URL(origin);
  const isSecure = protocol === 'https:';
  const toName = (name: CookieName) => (isSecure ? `__Host-salon-${name}` : `salon-${name}-${port || '80'}`);
  const values = parseCookies(request.headers.cookie ?? '');
  const send = (name: CookieName, value: string, maxAge: number | undefined) => {
    const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
    const secure = isSecure ? '; Secure' : '';
    reply.header('set-cookie', `${toName(name)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${age}`);
  };
  return {
    read: (name) => values.get(toName(name)),
    set(name, value, maxAgeSeconds) {
      values.set(toName(name), value);
      send(name, value, maxAgeSeconds);
    },
    clear(name) {
      if (values.delete(toName(name))) send(name, '', 0);
    },
  };
}

/** The first value of each name, as browsers order them. */
function parseCookies(header: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (at > 0 && !values.has(name)) values.set(name, pair.slice(at + 1).trim());
  }
  return values;
}

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
