import packageJson from '../../package.json' with { type: 'json' };
import { endpoints, type Me } from '../contract/endpoints.ts';
import type { SalonError } from '../contract/errors.ts';
import { settingsVersionHeader } from '../contract/salon.ts';
import { createBoundedQueue } from '../queue.ts';
import { quote } from '../text/quote.ts';
import { type Clock, createDeadline, systemClock } from './deadline.ts';
import {
  createDialectSource,
  type Dialect,
  type DialectSource,
  type ResourceDialect,
} from './dialect/dialect.ts';
import { createServerForms } from './dialect/server-forms.ts';
import type { ClientEvent, Observe } from './events.ts';
import { type BeforeWrite, createApiRequester, type RequestOptions } from './http/api-requester.ts';
import { assertHeaders, type Credential, createAuthorization, createSecretMask } from './http/credential.ts';
import { type ApiResponse, saysFailure } from './http/decode.ts';
import { decodeError } from './http/decode-error.ts';
import { createDryRun, type DryRun } from './http/dry-run-client.ts';
import { type Connection, openConnection, type TlsSettings } from './http/http-connection.ts';
import type { ProxySettings } from './http/proxy.ts';
import { acceptedEncodings } from './http/read-body.ts';
import { isUnencrypted, parseBaseUrl } from './http/request-path.ts';
import { defaultRetries, type Random, systemRandom } from './http/retry.ts';
import { createRetryingSender } from './http/retrying-sender.ts';
import type { RawResponse } from './http/send.ts';
import { type KnownSettings, withKnownSettings } from './http/settings-version.ts';
import { type Fields, isFields } from './json-object.ts';
import type { PagedList } from './pagination/paginate.ts';
import { createMemoryLedger, type Ledger } from './rate-limit/ledger.ts';
import { parseRateLimit, type RateLimit } from './rate-limit/rate-limit-headers.ts';
import { createRateLimiter } from './rate-limit/rate-limiter.ts';
import { type ChangeReader, createChangeReader } from './resources/changes.ts';
import { type Collections, createCollections } from './resources/collections.ts';
import { type AnyListOptions, openAnyList } from './resources/list.ts';
import { noRecord, requireRecord } from './resources/response-record.ts';
import { readHeader } from './response-headers.ts';

export interface ClientOptions {
  /** Address of the service, with or without `/api/v1` at the end. */
  readonly baseUrl: string;
  readonly credential?: Credential | undefined;
  /** IANA name of the zone of times without one; UTC by default. */
  readonly timeZone?: string | undefined;
  /** Known differences between the server and the contract. */
  readonly dialect?: Partial<Dialect> | undefined;
  /** Time limit for one request and its response; 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Time limit for everything the client does, from its creation; none by default. */
  readonly deadlineMs?: number | undefined;
  /**
   * Retries after a temporary failure; 5 within about 5 s by default, and more where the server sends `Retry-After`.
   * A number given limits those, too, except at a rate limit. With 0 nothing is sent twice.
   */
  readonly retries?: number | undefined;
  /** Without `retries`: whether a read is repeated after a 503 without `Retry-After`, too, until `maxWaitMs` is used up. */
  readonly waitsForService?: boolean | undefined;
  /** Time limit for all waits between requests; 10 min. */
  readonly maxWaitMs?: number | undefined;
  /** Concurrent requests; 8. */
  readonly concurrency?: number | undefined;
  /** Requests allowed in any hour, in addition to the server's own limit. They may be sent in bursts. */
  readonly requestsPerHour?: number | undefined;
  /** Shares the rate limit with other clients of the account, and replaces `requestsPerHour`. */
  readonly ledger?: Ledger | undefined;
  /** Maximum size of a response after decompression; 64 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** Rewords an error response, for instance with the times in its members as local times. */
  readonly explain?: ((error: SalonError) => SalonError) | undefined;
  /** Requests are refused while the salon has other settings. */
  readonly knownSettings?: KnownSettings | undefined;
  /** Called before anything but GET and HEAD is sent. If it throws, the request is not sent. */
  readonly beforeWrite?: BeforeWrite | undefined;
  /**
   * Stops the client: requests that wait, and those not yet sent, throw `interrupted`. Requests in flight finish,
   * but for those that the server holds; `close` cancels them too.
   */
  readonly signal?: AbortSignal | undefined;
  readonly userAgent?: string | undefined;
  /** Loopback addresses never use a proxy. */
  readonly proxy?: ProxySettings | undefined;
  readonly tls?: TlsSettings | undefined;
  /** Replaces the network, where the service is in this process. */
  readonly connection?: Connection | undefined;
  /** Sent with every request, for gateways. Their values are secrets. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly observe?: Observe | undefined;
  /** Measures the phases of each request, which `observe` receives with its response. */
  readonly timings?: boolean | undefined;
}

/** What a server of another kind may have. */
const foreignPaths =
  /^\/(?:clients|appointments|stylists|payments|services|webhooks)(?:\/:id(?:\/(?:cancel|refunds|void|test))?)?$/;

/** Shorter than the time limit of a request, so that a connection that never opened leaves no write unconfirmed. */
const maxConnectMs = 10_000;

/** A client whose writes change nothing. */
export interface DryRunClient extends Collections, Pick<DryRun, 'check'> {}

/** A typed client of one service. Every method throws only `SalonError`. */
export interface SalonClient extends AsyncDisposable, Collections {
  /** Scheme, host and port of the service. */
  readonly origin: string;
  /** The account and permissions of the API key. Throws `not_supported` where the server has no such endpoint. */
  me(): Promise<Me>;
  /**
   * A client whose writes are checked by the server and not executed: each throws what the write would. Undefined where
   * the server does not say that it can do that; nothing is sent to such a server.
   */
  dryRun(): Promise<DryRunClient | undefined>;
  /** What has changed since a position; without one, the present position. Throws `not_supported`, `position_expired`. */
  readonly changes: ChangeReader;
  /** Sends any request. `clients` is relative to the API prefix, `/healthz` to the origin. */
  request(method: string, path: string, options?: RequestOptions): Promise<ApiResponse>;
  /** All rows of the list at any path, page by page, as the server sends them. Paths are those of `request`. */
  list(path: string, options?: AnyListOptions): PagedList<Fields>;
  /** The newest rate limit the server reported; undefined where it reported none. */
  limits(): RateLimit | undefined;
  /** The newest version of the salon's settings that the server named. */
  settingsVersion(): string | undefined;
  /** Whether its dialect is declared, so that it is a server of another kind. */
  readonly isForeign: boolean;
  /** The server's dialect for one resource, clients by default. Parts that are not known yet are the contract's. */
  dialect(plural?: string): ResourceDialect;
  /** What is configured or was detected: for `ClientOptions.dialect` of another client. */
  knownDialect(): Partial<Dialect>;
  /** Cancels requests in flight and closes the connections. */
  close(): Promise<void>;
}

/**
 * Creates a client. Sends nothing before the first call.
 * Throws `usage` for an unusable base URL or API key, and `not_signed_in` for a key of another origin.
 */
export function createClient(options: ClientOptions): SalonClient {
  const { clock = systemClock, random = systemRandom, timeoutMs = 30_000 } = options;
  const { concurrency = 8, retries, maxWaitMs = 600_000, maxResponseBytes = 64 * 1_048_576 } = options;
  const baseUrl = parseBaseUrl(options.baseUrl, options.dialect?.prefix);
  const { origin } = baseUrl;
  const { explain = (error: SalonError) => error } = options;
  const authorization = createAuthorization(options.credential, origin);
  const headers = {
    accept: 'application/json',
    'accept-encoding': acceptedEncodings,
    // The API's documentation requires it on every request, also on those without a body.
    'content-type': 'application/json',
    'user-agent': options.userAgent ?? `salon/${packageJson.version}`,
    ...authorization.headers,
    ...assertHeaders(options.headers ?? {}),
  };
  const mask = createSecretMask(authorization, headers, options.headers);
  const observe = (event: ClientEvent) =>
    options.observe?.(event.type === 'warning' ? { ...event, message: mask(event.message) } : event);
  // The prefix of the base URL counts where the dialect has none.
  const prefix = options.dialect?.prefix || baseUrl.prefix;
  const dialect = createDialectSource({ ...options.dialect, ...(prefix && { prefix }) }, (part, value) =>
    observe({ type: 'learned', part, value }),
  );
  const monitor = createHeaderMonitor(clock, dialect, observe);
  const connection =
    options.connection ??
    openConnection({
      origin,
      concurrency,
      connectTimeoutMs: Math.min(maxConnectMs, timeoutMs / 2),
      proxy: options.proxy,
      isTimed: options.timings,
      tls: options.tls,
      stop: options.signal,
    });
  const isRefusal = (raw: RawResponse) =>
    raw.status === 500 && dialect.current().failuresAreRefusals && saysFailure(raw);
  const closing = new AbortController();
  const deadline = createDeadline({
    clock,
    // Enough for an outage that all concurrent requests meet.
    maxRetries: (retries ?? defaultRetries) * concurrency,
    maxWaitMs,
    deadlineMs: options.deadlineMs,
  });
  const {
    ledger = createMemoryLedger({
      now: clock.now,
      perHour: options.requestsPerHour,
      declared: dialect.current().rate,
    }),
  } = options;
  const rateLimiter = createRateLimiter({ ledger, clock, deadline, observe });
  const send = createRetryingSender({
    connection,
    queue: createBoundedQueue({ maxRunning: concurrency }),
    rateLimiter,
    deadline,
    clock,
    random,
    observe,
    mask,
    retries,
    waitsForService: () => options.waitsForService === true,
    timeoutMs,
    maxResponseBytes,
    isTimed: options.timings === true,
    stop: options.signal,
    abort: closing.signal,
    onResponse: monitor.check,
    isRefusal,
  });
  const api = createApiRequester({
    baseUrl,
    send: withKnownSettings(authorization.wrap?.(send) ?? send, options.knownSettings),
    beforeWrite: options.beforeWrite,
    explain,
    isRefusal,
    dialect,
    isServed: ({ path }) => !dialect.isForeign || foreignPaths.test(path),
    headers,
    mask,
    now: clock.now,
    random,
  });
  const timeZone = () => options.timeZone ?? 'UTC';
  const forms = dialect.isForeign ? createServerForms(dialect, () => all.clients.list()) : undefined;
  const decodeProblem = (problem: object & { readonly status?: unknown }) => {
    const bytes = Buffer.from(JSON.stringify(problem));
    return explain(decodeError({ status: Number(problem.status), headers: {}, bytes }, clock.now()));
  };
  const shared = { origin, api, dialect, observe, concurrency, forms, timeZone };
  const context = { ...shared, now: clock.now, decodeProblem };
  const all = createCollections(context);
  let dryRun: DryRun | undefined;
  if (options.credential !== undefined && isUnencrypted(origin)) {
    const message = `The connection to ${origin} is not encrypted, so others can read the API key. Use https.`;
    observe({ type: 'warning', message });
  }
  const own: Omit<SalonClient, keyof Collections> = {
    origin,
    async dryRun() {
      dryRun ??= createDryRun(api, decodeProblem);
      if (!(await dryRun.isSupported())) return undefined;
      return Object.assign(createCollections({ ...context, api: dryRun.api }), { check: dryRun.check });
    },
    async me() {
      const response = await api.endpoint(endpoints.getMe);
      const me = requireRecord<Me>(response, 'me');
      if (isFields(me.account)) return me;
      throw noRecord(response, 'account');
    },
    changes: createChangeReader(context),
    request: (method, path, requestOptions) => api.path(method.toUpperCase(), path, requestOptions),
    list: (path, listOptions) => openAnyList(context, path, listOptions),
    limits: monitor.limits,
    settingsVersion: monitor.settingsVersion,
    isForeign: dialect.isForeign,
    dialect: (plural = 'clients') => dialect.of(plural),
    knownDialect: dialect.known,
    close,
    [Symbol.asyncDispose]: close,
  };
  return Object.assign(all, own);

  async function close(): Promise<void> {
    closing.abort();
    await Promise.all([rateLimiter.close(), connection.close()]);
  }
}

/** Reads the response headers that concern more than one request: rate limit, settings, idempotency keys, deprecation. */
function createHeaderMonitor(clock: Clock, dialect: DialectSource, observe: Observe) {
  let newest: RateLimit | undefined;
  let hasWarned = false;
  let version: string | undefined;
  return {
    limits: () => newest,
    settingsVersion: () => version,
    /** Returns the rate limit that this response reports. */
    check({ headers }: RawResponse): RateLimit | undefined {
      const limit = parseRateLimit(headers, clock.now());
      newest = limit ?? newest;
      version = readHeader(headers, settingsVersionHeader) ?? version;
      // A server that reports “not a replay” also checks for replays.
      const isReplay = readHeader(headers, 'idempotent-replayed');
      const hasKeys = Number(readHeader(headers, 'salon-idempotency-keys')) > 0;
      if (hasKeys || isReplay === 'true' || isReplay === 'false') dialect.learn('idempotencyKeys', true);
      const sunset = readHeader(headers, 'sunset');
      if (!hasWarned && (sunset ?? readHeader(headers, 'deprecation')) !== undefined) {
        hasWarned = true;
        const end = sunset === undefined ? '' : ` and will be shut down on ${quote(sunset, 60)}`;
        observe({ type: 'warning', message: `This version of the API is deprecated${end}.` });
      }
      return limit;
    },
  };
}
