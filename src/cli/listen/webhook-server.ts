import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemCodeOf } from '../../bulk/jobs/file-access.ts';
import { SalonError } from '../../contract/errors.ts';
import { toHeaderMap, type WebhookHeaders } from '../../webhooks/signature.ts';

/** An unverified request. */
export interface IncomingRequest {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

export interface WebhookServerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /**
   * Accepts a verified request. Throws `webhook_refused` for any other, and `service_unavailable` if there is no
   * room, so that the sender retries.
   */
  readonly take: (message: IncomingRequest) => Promise<void>;
  /** Called with the reason for each refused request. */
  readonly refused: (reason: string) => void;
  /** Time limit for receiving a whole request; default: 10 s. */
  readonly requestTimeoutMs?: number;
}

/** The same limit as the service's own. */
const maxBodyBytes = 1_048_576;
/** Bodies read at the same time. */
const maxHeldBytes = 64 * maxBodyBytes;
const closingPatienceMs = 2_000;

/** Opens the port. Throws `usage` if that fails. */
export async function openWebhookServer(options: WebhookServerOptions) {
  const { host, port, requestTimeoutMs = 10_000 } = options;
  let heldBytes = 0;
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.ceil(requestTimeoutMs / 10),
    },
    (request, response) => void serve(request, response),
  );
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => {});
  // Of a thousand deliveries at once none is refused.
  server.listen({ port, host, backlog: 2048 });
  try {
    await once(server, 'listening');
  } catch (error) {
    const reason = listenErrors[systemCodeOf(error) ?? ''] ?? String(error);
    throw new SalonError('usage', `Cannot listen on port ${port} of ${host}: ${reason}.`, {
      hint: 'Choose another port, or --port 0 for a free one. --host 127.0.0.1 listens on this machine only.',
      cause: error,
    });
  }
  server.on('error', (cause) => fail(portLost(cause.message)));
  const { address, family, port: open } = server.address() as AddressInfo;
  // A wildcard address cannot be used in a URL.
  const reached = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  let closing: Promise<void> | undefined;
  server.on('close', () => closing ?? fail(portLost('the port was closed')));
  return {
    /** For example `http://127.0.0.1:41234`. */
    origin: `http://${family === 'IPv6' ? `[${reached}]` : reached}:${open}`,
    /** Rejects if the server stops without being closed. */
    failed,
    /** Stops accepting and waits for requests in flight. Idempotent. */
    close,
    [Symbol.asyncDispose]: close,
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await take(request);
      if (closing !== undefined) response.setHeader('connection', 'close');
      response.writeHead(200, { 'content-type': 'text/plain' }).end('Received.\n');
    } catch (thrown) {
      const isRefusal = thrown instanceof SalonError;
      const message = isRefusal ? thrown.message : String(thrown);
      const { status, headers } = isRefusal ? (answers[thrown.code] ?? { status: 400 }) : { status: 500 };
      options.refused(message);
      if (!response.writable) return;
      response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(`${message}\n`);
    }
  }

  async function take(request: IncomingMessage): Promise<void> {
    const { method, headers } = request;
    if (method !== 'POST') {
      request.resume();
      throw new SalonError('method_not_allowed', `Webhooks use POST, not ${method}.`);
    }
    const body = await readBody(request);
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') {
      throw new SalonError('unsupported_media_type', `Unsupported Content-Encoding: ${encoding}.`);
    }
    await options.take({ headers: toHeaderMap(headers as WebhookHeaders), body });
  }

  /** Reads an oversized body to its end and discards it, so that the sender receives the response. */
  async function readBody(request: IncomingMessage): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let size = 0;
    let heldHere = 0;
    let isFull = false;
    try {
      for await (const piece of request as AsyncIterable<Buffer>) {
        size += piece.length;
        isFull ||= heldBytes + piece.length > maxHeldBytes;
        if (isFull || size > maxBodyBytes) continue;
        pieces.push(piece);
        heldBytes += piece.length;
        heldHere += piece.length;
      }
    } catch (cause) {
      const message = `Incomplete request: the sender disconnected or took more than ${requestTimeoutMs / 1000} s.`;
      throw new SalonError('response_truncated', message, { cause });
    } finally {
      heldBytes -= heldHere;
    }
    if (size > maxBodyBytes) {
      throw new SalonError('payload_too_large', `The body has ${size} bytes; the limit is 1 MiB.`);
    }
    if (isFull) throw createQueueFullError();
    return Buffer.concat(pieces);
  }

  function close(): Promise<void> {
    if (closing !== undefined) return closing;
    const deadline = setTimeout(() => server.closeAllConnections(), closingPatienceMs);
    server.close();
    server.closeIdleConnections();
    closing = once(server, 'close').then(() => clearTimeout(deadline));
    return closing;
  }
}

/** A server that receives webhooks. */
export type WebhookServer = Awaited<ReturnType<typeof openWebhookServer>>;

/** The error that makes a sender retry later. */
export function createQueueFullError(): SalonError {
  return new SalonError('service_unavailable', 'The queue is full. Try again later.');
}

/** How refused requests are answered; others with 400. */
const answers: Readonly<Record<string, { status: number; headers?: Readonly<Record<string, string>> }>> = {
  method_not_allowed: { status: 405, headers: { allow: 'POST' } },
  payload_too_large: { status: 413, headers: { connection: 'close' } },
  unsupported_media_type: { status: 415 },
  service_unavailable: { status: 503, headers: { 'retry-after': '30' } },
};

const listenErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'unknown host',
};

function portLost(reason: string): SalonError {
  return new SalonError('connection_failed', `The listener stopped receiving: ${reason}.`, {
    hint: 'Start it again; missed events are fetched from the service.',
  });
}
