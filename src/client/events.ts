interface ObservedRequest {
  /** Counts a client's requests; the response carries the same number. */
  readonly number: number;
  readonly method: string;
  readonly url: string;
}

interface ObservedEnd extends ObservedRequest {
  readonly tookMs: number;
  /** With the option `timings`. */
  readonly timings: RequestTimings | undefined;
}

/** What a client reports while it works. Keys and passwords are masked; personal data is not. */
export type ClientEvent =
  | (ObservedRequest & {
      readonly type: 'request';
      readonly headers: () => Readonly<Record<string, string>>;
      readonly bodyBytes: number;
      readonly body: () => string | undefined;
    })
  | (ObservedEnd & {
      readonly type: 'response';
      readonly status: number;
      readonly headers: () => Readonly<Record<string, string>>;
      readonly bodyBytes: number;
      readonly body: () => string;
    })
  | (ObservedEnd & {
      /** A request without a usable response. */
      readonly type: 'failure';
      readonly status: number | undefined;
      readonly reason: string;
    })
  | {
      readonly type: 'retry';
      readonly method: string;
      readonly url: string;
      /** Attempts so far. */
      readonly attempts: number;
      readonly waitMs: number;
      readonly reason: string;
    }
  /** Nothing is sent for a while because of the rate limit. */
  | { readonly type: 'waiting'; readonly waitMs: number; readonly untilMs: number }
  /** Nothing new is sent; this many requests in flight may finish. */
  | { readonly type: 'finishing'; readonly requests: number }
  /** A difference between the server and the contract was detected. */
  | {
      readonly type: 'learned';
      readonly part: 'prefix' | 'idempotencyKeys';
      readonly value: string | boolean;
    }
  | { readonly type: 'warning'; readonly message: string };

export type Observe = (event: ClientEvent) => void;

/** How long the phases of one request took, in milliseconds. A phase that did not happen or is unknown is undefined. */
export interface RequestTimings {
  /** Waiting for a free connection. */
  readonly blockedMs: number;
  /** The name lookup, the TCP connection (through a proxy: the tunnel) and the TLS handshake of a new connection. */
  readonly dnsMs: number | undefined;
  readonly connectMs: number | undefined;
  readonly tlsMs: number | undefined;
  readonly sendMs: number | undefined;
  /** From the request to the headers of its response. */
  readonly waitMs: number | undefined;
  readonly receiveMs: number | undefined;
  readonly totalMs: number;
  /** The IP address of the server, or of the proxy. */
  readonly address: string | undefined;
}
