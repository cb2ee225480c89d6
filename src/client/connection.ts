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
  exchange(options: Omit<Dispatcher.RequestOptions, 'origin'>): Promise<Dispatcher.ResponseData>;
  /** Ends what is in flight and closes the sockets. */
  close(): Promise<void>;
}

/** Opens nothing yet: undici is loaded and a socket opened with the first exchange. */
export function openConnection(options: ConnectionOptions): Connection {
  let opening: ReturnType<typeof openDispatcher> | undefined;
  return {
    async exchange(request) {
      opening ??= openDispatcher(options);
      const { dispatcher, send } = await opening;
      return send.call(dispatcher, { origin: options.origin, ...request });
    },
    async close() {
      const opened = await opening;
      await opened?.dispatcher.destroy();
    },
  };
}

async function openDispatcher(options: ConnectionOptions) {
  const { default: send } = await import('undici/lib/api/api-request.js');
  const settings = {
    connections: options.concurrency,
    connect: { timeout: options.connectTimeoutMs },
    // A whole request has one time limit, which `send` keeps.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  };
  return { send, dispatcher: await openPool(options, settings) };
}

async function openPool({ origin, proxy }: ConnectionOptions, settings: object): Promise<Dispatcher> {
  if (proxy?.http === undefined && proxy?.https === undefined) {
    const { default: Pool } = await import('undici/lib/dispatcher/pool.js');
    return new Pool(origin, settings);
  }
  const { default: ProxyAgent } = await import('undici/lib/dispatcher/env-http-proxy-agent.js');
  // Empty texts keep undici from looking into the environment itself.
  return new ProxyAgent({
    ...settings,
    httpProxy: proxy.http ?? '',
    httpsProxy: proxy.https ?? '',
    noProxy: proxy.except ?? '',
  });
}
