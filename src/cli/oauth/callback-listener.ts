import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SalonError } from '../../contract/errors.ts';

/** What the browser brought back. The browser waits for its page until `finish`. */
export interface Callback {
  readonly url: URL;
  finish(page: 'signed_in' | 'failed'): Promise<void>;
}

export interface CallbackListener extends AsyncDisposable {
  readonly redirectUri: string;
  /** Rejects when the signal is aborted. */
  readonly callback: Promise<Callback>;
}

const path = '/callback';

/**
 * Listens on loopback for the browser's return (RFC 8252, section 7.3). Only the first request with the state counts:
 * any page that is open in the browser can send requests here, and none of them ends the sign-in.
 */
export async function openCallbackListener(
  state: string,
  { port = 0, signal }: { readonly port?: number | undefined; readonly signal: AbortSignal | undefined },
): Promise<CallbackListener> {
  const received = Promise.withResolvers<Callback>();
  received.promise.catch(() => {});
  let isReceived = false;
  const server = createServer((request, response) => {
    const url = toOwnUrl(request, origin);
    if (url === undefined) return answer(response, 400, 'unknown');
    if (url.pathname !== path) return answer(response, 404, 'unknown');
    if (request.method !== 'GET') return answer(response, 405, 'unknown');
    if (isReceived || !isEqual(url.searchParams.get('state') ?? '', state)) {
      return answer(response, 400, 'unknown');
    }
    isReceived = true;
    received.resolve({
      url,
      async finish(page) {
        answer(response, page === 'signed_in' ? 200 : 400, page);
        if (!response.writableFinished)
          await Promise.race([once(response, 'finish'), once(response, 'close')]);
      },
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((cause: Error) => {
    throw new SalonError('usage', `Cannot listen on 127.0.0.1:${port} for the browser: ${cause.message}.`, {
      hint: 'Choose another port with --callback-port, or use --device.',
      cause,
    });
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => received.reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  return {
    redirectUri: origin + path,
    callback: received.promise,
    async [Symbol.asyncDispose]() {
      signal?.removeEventListener('abort', stop);
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

/** Undefined for another host: a name that an attacker points to this machine. */
function toOwnUrl({ url = '/', headers }: IncomingMessage, origin: string): URL | undefined {
  if (`http://${headers.host}` !== origin) return undefined;
  return URL.parse(url, origin)?.origin === origin ? new URL(url, origin) : undefined;
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function answer(
  response: ServerResponse,
  status: number,
  page: Parameters<typeof renderCallbackPage>[0],
): void {
  if (response.headersSent || response.destroyed) return;
  const { html, headers } = renderCallbackPage(page);
  response.writeHead(status, { ...headers, connection: 'close' }).end(html);
}

/** What the browser shows when it comes back. */
const pages = {
  signed_in: { title: 'You are signed in', text: 'You can close this page and return to the terminal.' },
  failed: { title: 'The sign-in failed', text: 'Return to the terminal to see why.' },
  unknown: { title: 'Nothing to do here', text: 'No sign-in is in progress here.' },
} as const;

const style =
  'body{font:1.125rem/1.5 system-ui,sans-serif;color:#1a1a1a;background:#fff;max-width:32rem;margin:15vh auto;padding:0 1rem}' +
  '@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}}h1{font-size:1.5rem}';

const styleHash = () => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** A page without scripts, links and anything that the address contains. */
function renderCallbackPage(page: keyof typeof pages) {
  const { title, text } = pages[page];
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} – salon</title><style>${style}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src ${styleHash()}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
  return { html, headers };
}
