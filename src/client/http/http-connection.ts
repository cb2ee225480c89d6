import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
import { SalonError } from '../../contract/errors.ts';
import {
  chooseRoute,
  createForwardError,
  type HttpProxy,
  isOfProxy,
  openTunnel,
  type ProxySettings,
  type TunnelOptions,
  toProxyHeaders,
} from './proxy.ts';
import { type Connector, timeConnect } from './request-timer.ts';
import { toConnectionError } from './transport-error.ts';

interface ConnectionOptions {
  readonly origin: string;
  /** Connections at most, besides those aside. */
  readonly concurrency: number;
  readonly connectTimeoutMs: number;
  readonly proxy: ProxySettings | undefined;
  readonly tls?: TlsSettings | undefined;
  /** Gives up connections that are not open yet. */
  readonly stop?: AbortSignal | undefined;
  /** Whether the phases of connecting are measured. */
  readonly isTimed?: boolean | undefined;
}

export type Connection = ReturnType<typeof openConnection>;

/** Loads undici and opens sockets only with the first request. */
export function openConnection(options: ConnectionOptions) {
  const closing = new AbortController();
  const openings = new Map<boolean, ReturnType<typeof openDispatcher>>();
  return {
    /**
     * Sends a request, and calls the handler with the response or the failure. `isAside`: on a connection that no other
     * request waits for, so that the response may take any time.
     */
    async dispatch(request: RequestWithoutOrigin, handler: Dispatcher.DispatchHandler, isAside = false) {
      const ofKind = isAside ? { ...options, concurrency: null } : options;
      const opening = openings.get(isAside) ?? openDispatcher(ofKind, closing.signal);
      openings.set(isAside, opening);
      const { send } = await opening;
      send(request, handler);
    },
    /** Cancels requests in flight and closes the sockets. */
    async close() {
      closing.abort();
      for (const opening of openings.values()) {
        const opened = await opening.catch(() => undefined);
        await opened?.dispatcher.destroy();
      }
    },
  };
}

type RequestWithoutOrigin = Omit<Dispatcher.DispatchOptions, 'origin'>;

/** `concurrency`: null for as many connections as there are requests. */
async function openDispatcher(
  options: Omit<ConnectionOptions, 'concurrency'> & { readonly concurrency: number | null },
  signal: AbortSignal,
) {
  const { origin, connectTimeoutMs: timeoutMs } = options;
  const { proxy } = chooseRoute(origin, options.proxy);
  const { ca, ...own } = options.tls ?? {};
  const [{ Pool, buildConnector }, secureContext, proxyContext] = await Promise.all([
    import('undici'),
    createTlsContext({ ca, ...own }),
    // The client certificate is for the server alone.
    proxy?.url.protocol === 'https:' ? createTlsContext({ ca }) : undefined,
  ]);
  const isForwarded = proxy !== undefined && !origin.startsWith('https:');
  const context = isForwarded ? proxyContext : secureContext;
  const connect = buildConnector({
    timeout: timeoutMs,
    allowH2: false,
    ...(context && { secureContext: context }),
  });
  const openPool = (to: string, connector: Connector, name: string) =>
    new Pool(to, {
      connections: options.concurrency,
      connect: nameErrors(options.isTimed ? timeConnect(connector) : connector, name, options.stop),
      // `send` has one time limit for the whole request.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  if (isForwarded) {
    // Otherwise the certificate of the proxy would have to be for the host of the server.
    const connectToProxy: Connector = (target, callback) => connect({ ...target, servername: '' }, callback);
    const dispatcher = openPool(proxy.url.origin, connectToProxy, proxy.label);
    return {
      dispatcher,
      send: (request: RequestWithoutOrigin, handler: Dispatcher.DispatchHandler) =>
        forward(request, handler, { dispatcher, origin, proxy }),
    };
  }
  const tunnel = { timeoutMs, secureContext: proxyContext, signal };
  const dispatcher =
    proxy === undefined
      ? openPool(origin, connect, origin)
      : openPool(
          origin,
          connectInTunnel(options.isTimed ? timeConnect(connect) : connect, { ...tunnel, proxy }),
          `${origin} through ${proxy.label}`,
        );
  return {
    dispatcher,
    send: (request: RequestWithoutOrigin, handler: Dispatcher.DispatchHandler) =>
      void dispatcher.dispatch({ origin, ...request }, handler),
  };
}

function nameErrors(connect: Connector, name: string, stop: AbortSignal | undefined): Connector {
  return (target, callback) => {
    let isGivenUp = false;
    const giveUp = () => {
      isGivenUp = true;
      const error = Object.assign(new Error('it was interrupted'), { code: 'ABORT_ERR' });
      callback(toConnectionError(error, name), null);
      opening?.destroy();
    };
    stop?.addEventListener('abort', giveUp, { once: true });
    // The types of undici leave out that its connector returns the socket.
    const opening = connect(target, (...[error, socket]) => {
      stop?.removeEventListener('abort', giveUp);
      if (isGivenUp) return socket?.destroy();
      if (error !== null) return callback(toConnectionError(error, name), null);
      // TLS 1.3 reports a rejected client certificate only now. Where the socket stays, undici overwrites that error.
      socket.on('error', (failure) => socket.destroy(failure));
      callback(null, socket);
    }) as unknown as Socket | undefined;
    return opening;
  };
}

function connectInTunnel(connect: Connector, options: Omit<TunnelOptions, 'target'>): Connector {
  return (target, callback) => {
    openTunnel({ ...options, target: `${target.hostname}:${target.port || 443}` }).then(
      (httpSocket) => {
        const leave = () => httpSocket.destroy();
        options.signal.addEventListener('abort', leave, { once: true });
        httpSocket.once('close', () => options.signal.removeEventListener('abort', leave));
        connect({ ...target, httpSocket }, callback);
      },
      (error: Error) => callback(error, null),
    );
  };
}

/** Sends a request without TLS to a proxy, which reads the server's address from the path. */
function forward(
  request: RequestWithoutOrigin,
  handler: Dispatcher.DispatchHandler,
  { dispatcher, origin, proxy }: { dispatcher: Dispatcher; origin: string; proxy: HttpProxy },
): void {
  const headers = {
    ...(request.headers as Record<string, string>),
    host: new URL(origin).host,
    ...toProxyHeaders(proxy),
  };
  const forwarded = { ...request, origin: proxy.url.origin, path: origin + request.path, headers };
  dispatcher.dispatch(forwarded, {
    ...handler,
    onResponseStart(controller, status, received, message) {
      if (isOfProxy(status, received)) {
        throw createForwardError({ status, message, headers: received }, proxy, origin);
      }
      handler.onResponseStart?.(controller, status, received, message);
    },
  });
}

/** Certificates for connections, as PEM texts. */
export interface TlsSettings {
  /** Certificate authorities to trust in addition to the usual ones. */
  readonly ca?: string | undefined;
  /** The client's certificate with its chain, for servers that require one. */
  readonly cert?: string | undefined;
  /** The private key of `cert`; may be part of that text instead. */
  readonly key?: string | undefined;
}

/** Throws `usage` for certificates and keys that cannot be used. */
export async function createTlsContext({
  ca,
  cert,
  key = cert,
}: TlsSettings): Promise<SecureContext | undefined> {
  if (ca === undefined && cert === undefined) return undefined;
  if (cert !== undefined) assertUsableKey(key ?? '');
  const { createSecureContext, getCACertificates } = await import('node:tls');
  if (ca !== undefined) await assertCertificates(ca);
  try {
    return createSecureContext({
      ...(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }),
      ...(cert === undefined ? {} : { cert, key }),
    });
  } catch (cause) {
    const mismatch = cause instanceof Error && 'code' in cause && /MISMATCH/.test(String(cause.code));
    const problem = mismatch
      ? 'The client key does not belong to the client certificate.'
      : 'The client certificate or its key is not valid PEM.';
    throw new SalonError('usage', problem, { hint: 'Check --client-cert and --client-key.', cause });
  }
}

async function assertCertificates(pem: string): Promise<void> {
  const { X509Certificate } = await import('node:crypto');
  try {
    new X509Certificate(pem);
  } catch (cause) {
    throw new SalonError('usage', 'The CA file contains no certificate in PEM form.', {
      hint: 'Convert it: openssl x509 -inform der -in ca.crt -out ca.pem',
      cause,
    });
  }
}

function assertUsableKey(key: string): void {
  if (!/PRIVATE KEY-----/.test(key)) {
    throw new SalonError('usage', 'The client certificate has no private key in PEM form.', {
      hint: 'Name the key with --client-key. From a .p12 file: openssl pkcs12 -in file.p12 -nodes -out client.pem',
    });
  }
  if (/ENCRYPTED/.test(key)) {
    throw new SalonError('usage', 'The client key is encrypted with a passphrase.', {
      hint: 'Decrypt it: openssl pkey -in client.key -out client-plain.key && chmod 600 client-plain.key',
    });
  }
}
