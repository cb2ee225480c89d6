import { spawn } from 'node:child_process';
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SalonError } from '../../contract/errors.ts';
import { type Io, toProgramEnv } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import type { StatusLine } from '../messages/status-line.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { toOAuthError } from './oauth-error.ts';
import { type Tokens, toTokens } from './tokens.ts';

export interface FlowOptions {
  readonly io: Io;
  readonly messages: Messages;
  readonly status: StatusLine;
  /** Separated by spaces; undefined to leave the choice to the server. */
  readonly scope: string | undefined;
}

/** How long a person may take, also to find a password. */
const patienceMs = 15 * 60_000;

/**
 * Signs in with the browser (authorization code with PKCE, RFC 8252). Throws `not_signed_in` where the person or the
 * server declines.
 */
export async function signInWithBrowser(
  server: AuthorizationServer,
  { io, messages, status, scope, callbackPort }: FlowOptions & { readonly callbackPort: number | undefined },
): Promise<Tokens> {
  const client = await import('openid-client');
  const { configuration, issuer } = server;
  const codeVerifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(patienceMs)]);
  await using listener = await openCallbackListener(state, { port: callbackPort, signal });
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: listener.redirectUri,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...toScope(scope),
  });
  await showAddress(address.href, { io, messages, issuer });
  status.show('work', () => 'Waiting for you to sign in. Press Ctrl-C to cancel.');
  const callback = await listener.callback
    .catch((cause: unknown) => {
      if (io.signal.aborted) throw new SalonError('interrupted', 'Cancelled. Nothing was saved.');
      throw new SalonError('not_signed_in', 'The sign-in timed out after 15 minutes.', {
        hint: 'Try again, or use --device if your browser is on another machine.',
        cause,
      });
    })
    .finally(() => status.hide('work'));
  try {
    const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
    const response = await client.authorizationCodeGrant(configuration, callback.url, checks);
    const tokens = toTokens(response, io.now());
    await callback.finish('signed_in');
    return tokens;
  } catch (thrown) {
    await callback.finish('failed');
    throw toOAuthError(thrown, issuer);
  }
}

/** OpenID Connect has a person asked again where an app is to work without them. */
export function toScope(scope: string | undefined): Record<string, string> {
  if (scope === undefined) return {};
  return scope.split(' ').includes('offline_access') ? { scope, prompt: 'consent' } : { scope };
}

async function showAddress(
  address: string,
  { io, messages, issuer }: Pick<FlowOptions, 'io' | 'messages'> & { readonly issuer: string },
): Promise<void> {
  if (hasBrowser(io) && (await openBrowser(address, io))) {
    messages.show(`Opening your browser to sign in at ${issuer}. If it does not open, visit:`);
  } else messages.show(`To sign in at ${issuer}, open this address in a browser on this machine:`);
  messages.show(`  ${address}`);
}

/** What the browser brought back. The browser waits for its page until `finish`. */
interface Callback {
  readonly url: URL;
  finish(page: 'signed_in' | 'failed'): Promise<void>;
}

const path = '/callback';

/**
 * Listens on loopback for the browser's return (RFC 8252, section 7.3). Only the first request with the state counts:
 * any page that is open in the browser can send requests here, and none of them ends the sign-in.
 */
async function openCallbackListener(
  state: string,
  { port = 0, signal }: { readonly port: number | undefined; readonly signal: AbortSignal },
) {
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
  const stop = () => received.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  return {
    redirectUri: origin + path,
    /** Rejects when the signal is aborted. */
    callback: received.promise,
    async [Symbol.asyncDispose]() {
      signal.removeEventListener('abort', stop);
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

/** What the browser shows when it comes back. */
const pages = {
  signed_in: { title: 'You are signed in', text: 'You can close this page and return to the terminal.' },
  failed: { title: 'The sign-in failed', text: 'Return to the terminal to see why.' },
  unknown: { title: 'Nothing to do here', text: 'No sign-in is in progress here.' },
} as const;

const style =
  'body{font:1.125rem/1.5 system-ui,sans-serif;color:#1a1a1a;background:#fff;max-width:32rem;margin:15vh auto;padding:0 1rem}' +
  '@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}}h1{font-size:1.5rem}';

/** Sends a page without scripts, links and anything that the address contains. */
function answer(response: ServerResponse, status: number, page: keyof typeof pages): void {
  if (response.headersSent || response.destroyed) return;
  const { title, text } = pages[page];
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} – salon</title><style>${style}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`;
  const styleHash = createHash('sha256').update(style).digest('base64');
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(html);
}

type Machine = Pick<Io, 'env' | 'platform'>;

/** Whether this terminal is on another machine than the person's browser. */
export function isRemote({ env }: Machine): boolean {
  return ['SSH_CONNECTION', 'SSH_CLIENT', 'SSH_TTY'].some((name) => Boolean(env[name]));
}

/** Whether a browser can be opened here. */
export function hasBrowser({ env, platform }: Machine): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return ['BROWSER', 'DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'].some((name) => Boolean(env[name]));
}

/** Opens an address in the person's browser. False where no program for that could be started. */
export async function openBrowser(address: string, machine: Machine): Promise<boolean> {
  // Only an http(s) address: other schemes start other programs.
  const { href } = new URL(address);
  if (!/^https?:/.test(href)) return false;
  const [command = '', ...args] = toCommand(machine, href);
  try {
    const child = spawn(command, args, { stdio: 'ignore', detached: true, env: toProgramEnv(machine.env) });
    child.unref();
    child.on('error', () => {});
    await once(child, 'spawn');
    return true;
  } catch {
    return false;
  }
}

function toCommand({ env, platform }: Machine, address: string): string[] {
  if (platform === 'darwin') return ['open', address];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  const words = (env['BROWSER'] ?? '').split(':')[0]?.split(' ').filter(Boolean) ?? [];
  if (words.includes('%s')) return words.map((word) => (word === '%s' ? address : word));
  if (words.length > 0) return [...words, address];
  return [env['WSL_DISTRO_NAME'] ? 'wslview' : 'xdg-open', address];
}
