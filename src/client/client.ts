import packageJson from '../../package.json' with { type: 'json' };
import { endpoints, type Me } from '../contract/endpoints.ts';
import { type Clock, systemClock } from './clock.ts';
import { createDeadline } from './deadline.ts';
import { createDialectDetector, type Dialect } from './dialect/dialect.ts';
import type { Observe } from './events.ts';
import {
  type BeforeWrite,
  createApiRequester,
  guardWrites,
  type RequestOptions,
} from './http/api-requester.ts';
import { isExposed, parseBaseAddress } from './http/base-url.ts';
import { openConnection, type ProxyRoute } from './http/connection.ts';
import { type Credential, toAuthorization } from './http/credential.ts';
import type { ApiResponse } from './http/decode.ts';
import { createHeaderMonitor } from './http/header-monitor.ts';
import { acceptedEncodings } from './http/read-body.ts';
import { createUuid, type Random, systemRandom } from './http/retry.ts';
import { createRetryingSender } from './http/retrying-sender.ts';
import { createMemoryLedger, type Ledger } from './rate-limit/ledger.ts';
import type { RateLimit } from './rate-limit/rate-limit.ts';
import { createRateLimiter, createSemaphore } from './rate-limit/rate-limiter.ts';
import { type AppointmentCollection, createAppointmentCollection } from './resources/appointments.ts';
import { type ClientCollection, createClientCollection } from './resources/clients.ts';
import { createPaymentCollection, type PaymentCollection } from './resources/payments.ts';
import { requireRecord } from './resources/record.ts';
import { createStylistCollection, type StylistCollection } from './resources/stylists.ts';
import { createWebhookCollection, type WebhookCollection } from './resources/webhooks.ts';

export interface ClientOptions {
  /** Where the service is, with or without `/api/v1` at the end. */
  readonly baseUrl: string;
  readonly credential?: Credential | undefined;
  /** What is known of how the server differs from the contract. */
  readonly dialect?: Partial<Dialect> | undefined;
  /** For one request with its answer; 30 s. */
  readonly timeoutMs?: number | undefined;
  /** For everything the client does, counted from its creation; no limit. */
  readonly deadlineMs?: number | undefined;
  /** Repeats after a temporary failure; 2. With 0 nothing is ever sent twice. */
  readonly retries?: number | undefined;
  /** For all waiting between requests; 10 min. */
  readonly maxWaitMs?: number | undefined;
  /** Requests side by side; 8. */
  readonly concurrency?: number | undefined;
  /** A budget of requests for any hour, which may be spent in bursts; it holds beside what the server says. */
  readonly requestsPerHour?: number | undefined;
  /** Where requests are reserved together with other clients of the account; with it the budget is its own. */
  readonly ledger?: Ledger | undefined;
  /** Size of one answer, unpacked; 64 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** Called before anything but GET and HEAD is sent; where it throws, nothing is. */
  readonly beforeWrite?: BeforeWrite | undefined;
  /**
   * Once it fires nothing new is sent: what waits, for a limit or for another try, ends at once with `interrupted`, and
   * so does what would need one more request. Requests under way end as they do; `close` ends them too.
   */
  readonly signal?: AbortSignal | undefined;
  readonly userAgent?: string | undefined;
  readonly proxy?: ProxyRoute | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly observe?: Observe | undefined;
}

/** A service, as a program sees it. Every method throws `SalonError` alone. */
export interface SalonClient extends AsyncDisposable {
  /** Scheme, host and port of the service. */
  readonly origin: string;
  readonly appointments: AppointmentCollection;
  readonly clients: ClientCollection;
  readonly stylists: StylistCollection;
  readonly payments: PaymentCollection;
  readonly webhooks: WebhookCollection;
  /** The account and rights behind the credential; `not_supported` where the server does not tell. */
  me(): Promise<Me>;
  /** Any request: `clients` goes below the prefix, `/healthz` to the origin. */
  request(method: string, path: string, parcel?: RequestOptions): Promise<ApiResponse>;
  /** The newest limit a server told; undefined where none was seen. */
  limits(): RateLimit | undefined;
  /** How the server speaks, as far as it is known. */
  dialect(): Dialect;
  /** Ends what is under way and closes the connections. */
  close(): Promise<void>;
}

/**
 * A client of one service. Nothing is sent before the first call.
 * Throws `usage` for an address or a key that cannot be used, `not_signed_in` for a key of another origin.
 */
export function createClient(options: ClientOptions): SalonClient {
  const { observe = () => {}, clock = systemClock, random = systemRandom, timeoutMs = 30_000 } = options;
  const { concurrency = 8, retries = 2, maxWaitMs = 600_000, maxAnswerBytes = 64 * 1_048_576 } = options;
  const address = parseBaseAddress(options.baseUrl);
  const { origin } = address;
  const headers = toHeaders(options, origin);
  const prefix = address.prefix === undefined ? {} : { prefix: address.prefix };
  const dialect = createDialectDetector({ ...prefix, ...options.dialect }, (part, value) =>
    observe({ type: 'learned', part, value }),
  );
  const lookout = createHeaderMonitor({ clock, dialect, observe });
  const connection = openConnection({
    origin,
    concurrency,
    connectTimeoutMs: timeoutMs,
    proxy: options.proxy,
  });
  const closing = new AbortController();
  const patience = createDeadline({ clock, maxWaitMs, deadlineMs: options.deadlineMs });
  const { ledger = createMemoryLedger({ now: clock.now, perHour: options.requestsPerHour }) } = options;
  const turnstile = createRateLimiter({ ledger, clock, patience, observe });
  const exchange = createRetryingSender({
    connection,
    gate: createSemaphore(concurrency),
    turnstile,
    patience,
    clock,
    random,
    observe,
    retries,
    timeoutMs,
    maxAnswerBytes,
    stop: options.signal,
    abort: closing.signal,
    seen: lookout.see,
  });
  const createKey = () => createUuid(random);
  const { beforeWrite } = options;
  const guarded = beforeWrite === undefined ? exchange : guardWrites(exchange, beforeWrite);
  const call = createApiRequester({
    address,
    exchange: guarded,
    dialect,
    headers,
    now: clock.now,
    createKey,
  });
  const parts = { origin, call, dialect, observe, concurrency };
  const appointments = createAppointmentCollection(parts);
  if (options.credential !== undefined && isExposed(origin)) observe(exposedKeyWarning(origin));
  return {
    origin,
    appointments,
    clients: createClientCollection(parts),
    stylists: createStylistCollection(parts, appointments),
    payments: createPaymentCollection(parts),
    webhooks: createWebhookCollection(parts),
    me: async () => requireRecord<Me>(await call.endpoint(endpoints.getMe), 'me'),
    request: (method, path, parcel) => call.path(method.toUpperCase(), path, parcel),
    limits: lookout.limits,
    dialect: dialect.current,
    close,
    [Symbol.asyncDispose]: close,
  };

  async function close(): Promise<void> {
    closing.abort();
    await Promise.all([turnstile.close(), connection.close()]);
  }
}

function toHeaders(options: ClientOptions, origin: string): Record<string, string> {
  const { credential, userAgent = `salon/${packageJson.version}` } = options;
  return {
    accept: 'application/json',
    'accept-encoding': acceptedEncodings,
    // The service's document asks for it on every request, also on those without a body.
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...(credential === undefined ? {} : { authorization: toAuthorization(credential, origin) }),
  };
}

function exposedKeyWarning(origin: string) {
  const message = `The key travels to ${origin} unencrypted: anybody on the way can read it. Use https.`;
  return { type: 'warning', message } as const;
}
