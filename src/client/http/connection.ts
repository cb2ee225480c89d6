import type { Dispatcher } from 'undici';

/** Proxies, as `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` give them. */
export interface ProxySettings {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** Hosts to connect to directly, separated by commas. */
  readonly noProxy?: string | undefined;
}

export interface ConnectionOptions {
  readonly origin: string;
  readonly concurrency: number;
  readonly connectTimeoutMs: number;
  readonly proxy: ProxySettings | undefined;
}

export interface Connection {
  /** Sends a request, and calls the handler with the response or the failure. */
  dispatch(
    request: Omit<Dispatcher.DispatchOptions, 'origin'>,
    handler: Dispatcher.DispatchHandler,
  ): Promise<void>;
  /** Cancels requests in flight and closes the sockets. */
  close(): Promise<void>;
}

/** Loads undici and opens sockets only with the first request. */
export function openConnection(options: ConnectionOptions): Connection {
  let opening: ReturnType<typeof openDispatcher> | undefined;
  return {
    async dispatch(request, handler) {
      opening ??= openDispatcher(options);
      const dispatcher = await opening;
      dispatcher.dispatch({ origin: options.origin, ...request }, handler);
    },
    async close() {
      const dispatcher = await opening;
      await dispatcher?.destroy();
    },
  };
}

async function openDispatcher(options: ConnectionOptions): Promise<Dispatcher> {
  const { origin, proxy } = options;
  const settings = {
    connections: options.concurrency,
    connect: { timeout: options.connectTimeoutMs },
    // `send` has one time limit for the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  };
  if (proxy?.http === undefined && proxy?.https === undefined) {
    const { Pool } = await import('undici');
    return new Pool(origin, settings);
  }
  const { EnvHttpProxyAgent } = await import('undici');
  // Empty strings keep undici from reading the environment.
  return new EnvHttpProxyAgent({
    ...settings,
    httpProxy: proxy.http ?? '',
    httpsProxy: proxy.https ?? '',
    noProxy: proxy.noProxy ?? '',
  });
}
