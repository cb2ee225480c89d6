import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import { isUnaskedContinue, unaskedContinue } from '../../contract/errors.ts';
import { AddressError, type AddressRules, resolveTarget } from './webhook-address.ts';

/** A signed request, ready to be sent. */
interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A response with the start of its body, or the reason there is none. */
export type WebhookResponse =
  | { readonly status: number; readonly retryAfter: string | undefined; readonly body: Uint8Array }
  | { readonly failure: string };

export type WebhookSender = ReturnType<typeof createWebhookSender>;

interface WebhookSenderOptions extends AddressRules {
  /** Time limit for DNS, connecting, sending and the response head together. */
  readonly timeoutMs: number;
  /** Time limit for the rest of the response. */
  readonly readMs?: number | undefined;
}

/** A response body is read up to this size so that the connection can be reused; a longer one closes it. */
const maxReadBytes = 4096;
const defaultReadMs = 1000;
/** Many receivers close idle connections after 5 s, so a reused connection must be younger. */
const keepAliveMs = 2000;

/**
 * Creates the HTTP client for webhooks. It follows no redirects and ignores proxies of the environment, which would
 * bypass the address check. A request counts as in flight until its connection is reusable or closed, so endless
 * responses hold no more connections than there are delivery slots. undici is loaded with the first request.
 */
export function createWebhookSender({ timeoutMs, readMs = defaultReadMs, ...rules }: WebhookSenderOptions) {
  let agent: Promise<Dispatcher> | undefined;

  async function openAgent(): Promise<Dispatcher> {
    const { Agent, buildConnector } = await import('undici');
    return new Agent({
      connect: createCheckedConnector(buildConnector, rules, timeoutMs),
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  return {
    /** Posts a request. Never throws: an error becomes a `failure`. */
    async post(request: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse> {
      agent ??= openAgent();
      return post(await agent, request, { timeoutMs, readMs, signal });
    },
    /** Closes every connection, also those in use. */
    async close(): Promise<void> {
      await (await agent)?.destroy();
    },
  };
}

function post(
  agent: Dispatcher,
  request: WebhookRequest,
  { timeoutMs, readMs, signal }: { timeoutMs: number; readMs: number; signal: AbortSignal },
): Promise<WebhookResponse> {
  const { origin, pathname, search } = new URL(request.url);
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let head: Pick<Exclude<WebhookResponse, { failure: string }>, 'status' | 'retryAfter'> | undefined;
    let isSettled = false;
    const read: Uint8Array[] = [];
    let readBytes = 0;
    const abort = (failure: string) => {
      settle({ failure });
      controller?.abort(new Error(failure));
    };
    let timer = setTimeout(() => abort(`No response within ${timeoutMs / 1000} s.`), timeoutMs);
    const onAbort = () => abort('The service was stopped.');
    signal.addEventListener('abort', onAbort);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (isSettled) started.abort(new Error('Aborted before sending.'));
      },
      onResponseStart(_controller, status, headers) {
        if (status < 200 || isSettled) return;
        head = { status, retryAfter: [headers['retry-after']].flat()[0] };
        clearTimeout(timer);
        timer = setTimeout(() => abort(bodyIgnored), readMs);
      },
      onResponseData(_controller, chunk) {
        if (readBytes < maxReadBytes) read.push(chunk.subarray(0, maxReadBytes - readBytes));
        readBytes += chunk.length;
        if (readBytes > maxReadBytes) abort(bodyIgnored);
      },
      onResponseEnd: () => settle({ failure: bodyIgnored }),
      onResponseError: (_controller, error) => settle({ failure: toFailure(error) }),
    };
    const { headers, body } = request;
    if (signal.aborted) onAbort();
    agent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, handler);

    /** Once the response head has arrived, a later error is no failure. */
    function settle(failed: WebhookResponse): void {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(head === undefined ? failed : { ...head, body: Buffer.concat(read) });
    }
  });
}

const bodyIgnored = 'The rest of the response is ignored.';

const closed = 'Connection closed by the receiver.';
const failures: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused.',
  ...{ ECONNRESET: closed, UND_ERR_SOCKET: closed, EPIPE: closed },
  EHOSTUNREACH: 'Address unreachable.',
  ENETUNREACH: 'Address unreachable.',
  ETIMEDOUT: 'Connection timed out.',
  UND_ERR_CONNECT_TIMEOUT: 'Connection timed out.',
};

/** The failure text of the delivery log. Account members read it, so it reveals nothing of the service's network. */
function toFailure(error: Error): string {
  if (error instanceof AddressError) return error.message;
  if (isUnaskedContinue(error)) return `The receiver ${unaskedContinue}.`;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = failures[code];
  if (known !== undefined) return known;
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return 'Untrusted TLS certificate.';
  if (error.name === 'HTTPParserError') return 'The response is not valid HTTP.';
  return 'Connection failed.';
}

/**
 * Creates a connector that opens connections to allowed addresses only. It resolves a name once per connection and
 * connects to the addresses it checked, so DNS rebinding has no effect.
 */
function createCheckedConnector(
  build: typeof buildConnector,
  rules: AddressRules,
  timeoutMs: number,
): buildConnector.connector {
  const create = (protocol: string) =>
    build({ allowH2: false, timeout: timeoutMs, lookup: createCheckedLookup(rules, protocol) });
  const connectors = { 'http:': create('http:'), 'https:': create('https:') };

  return (options, callback) => {
    const connect = connectors[options.protocol === 'https:' ? 'https:' : 'http:'];
    // Node skips the lookup for an IP address, so that one is checked here.
    if (isIP(options.hostname.replace(/^\[(.*)\]$/, '$1')) === 0) {
      connect(options, callback);
      return;
    }
    resolveTarget(options, rules).then(
      () => connect(options, callback),
      (error: Error) => callback(error, null),
    );
  };
}

/** A replacement for Node's `lookup` that returns allowed addresses only. */
function createCheckedLookup(rules: AddressRules, protocol: string): LookupFunction {
  return (hostname, { all }, callback) => {
    resolveTarget({ protocol, hostname }, rules).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        if (all) callback(null, found);
        else callback(null, found[0]?.address ?? '', found[0]?.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}
