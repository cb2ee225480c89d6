import type { FastifyReply, FastifyRequest } from 'fastify';

/** What the pages keep in a browser. */
export type CookieName = 'session' | 'form' | 'ticket' | 'device' | 'notice';

/** The cookies of a request, and those of its response. Values are letters, digits and `-._:`. */
export interface Cookies {
  read(name: CookieName): string | undefined;
  /** Without an age, the cookie ends with the browser's session. */
  set(name: CookieName, value: string, maxAgeSeconds?: number): void;
  clear(name: CookieName): void;
}

/**
 * Over HTTPS, `__Host-` cookies, which no other host can set. On localhost, browsers share cookies between ports, so
 * their names contain the port.
 */
export function openCookies(request: FastifyRequest, reply: FastifyReply, origin: string): Cookies {
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
