import type { Dispatcher } from 'undici';

/** Proxies as the usual environment variables give them. */
export interface ProxyRoute {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** Hosts that are reached directly, with commas. */
  readonly except?: string | undefined;
}

export interface ConnectionOptions {
  readonly origin: string;
  readonly concurrency: number;
  readonly connectTimeoutMs: number;
  readonly proxy: ProxyRoute | undefined;
}

export interface Connection {
  /** Sends a request; everything that comes of it is told to the handler. */
  dispatch(
    request: Omit<Dispatcher.DispatchOptions, 'origin'>,
    handler: Dispatcher.DispatchHandler,
  ): Promise<void>;
  /** Ends what is in flight and closes the sockets. */
  close(): Promise<void>;
}

/** Opens nothing yet: undici is loaded and a socket opened with the first exchange. */
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
    // A whole request has one time limit, which `send` keeps.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  };
  if (proxy?.http === undefined && proxy?.https === undefined) {
    const { Pool } = await import('undici');
    return new Pool(origin, settings);
  }
  const { EnvHttpProxyAgent } = await import('undici');
  // Empty texts keep undici from looking into the environment itself.
  return new EnvHttpProxyAgent({
    ...settings,
    httpProxy: proxy.http ?? '',
    httpsProxy: proxy.https ?? '',
    noProxy: proxy.except ?? '',
  });
}
