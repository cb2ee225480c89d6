import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemCodeOf } from '../../bulk/jobs/file-access.ts';
import { SalonError } from '../../contract/errors.ts';
import { toHeaderMap, type WebhookHeaders } from '../../webhooks/signature.ts';

/** A request as it came; nothing of it is believed yet. */
export interface IncomingRequest {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

export interface WebhookServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /**
   * Takes over a message that can be believed. Throws `webhook_refused` for another one, and `service_unavailable`
   * where there is no room, so that it is sent again later.
   */
  readonly take: (message: IncomingRequest) => Promise<void>;
  /** Told of each request that was not taken, and why. */
  readonly refused: (reason: string) => void;
  /** How long a sender may take for a whole request; 10 s. */
  readonly requestTimeoutMs?: number;
}

/** A server that webhooks are sent to. */
export interface WebhookServer extends AsyncDisposable {
  /** Where it listens, such as `http://127.0.0.1:41234`. */
  readonly origin: string;
  /** Rejects when it can take nothing more although nobody closed it. */
  readonly failed: Promise<never>;
  /** Lets what is under way end and takes nothing new. May be called again. */
  close(): Promise<void>;
}

/** The same as the service takes itself. */
const mostBodyBytes = 1_048_576;
/** Bodies that are being read at one moment. */
const mostHeldBytes = 64 * mostBodyBytes;
const closingPatienceMs = 2_000;

/** Opens the port. Throws `usage` where it cannot be had. */
export async function openWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
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
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw toListenError(error, { host, port });
  }
  server.on('error', (cause) => fail(portLost(cause.message)));
  let closing: Promise<void> | undefined;
  server.on('close', () => closing ?? fail(portLost('its port was closed')));
  return {
    origin: toOrigin(server.address() as AddressInfo),
    failed,
    close,
    [Symbol.asyncDispose]: close,
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await take(request);
      if (closing !== undefined) response.setHeader('connection', 'close');
      response.writeHead(200, { 'content-type': 'text/plain' }).end('Received.\n');
    } catch (thrown) {
      const { status, message, headers } = toAnswer(thrown);
      options.refused(message);
      if (!response.writable) return;
      response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(`${message}\n`);
    }
  }

  async function take(request: IncomingMessage): Promise<void> {
    const { method, headers } = request;
    if (method !== 'POST') {
      request.resume();
      throw new SalonError('method_not_allowed', `Webhooks come by POST, and this was ${method}.`);
    }
    const body = await readBody(request);
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') {
      throw new SalonError('unsupported_media_type', `A body packed as ${encoding} was not looked at.`);
    }
    await options.take({ headers: toHeaderMap(headers as WebhookHeaders), body });
  }

  /** A body that is too large is read to its end and forgotten, so that its sender hears why it was not taken. */
  async function readBody(request: IncomingMessage): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let size = 0;
    let heldHere = 0;
    let isFull = false;
    try {
      for await (const piece of request as AsyncIterable<Buffer>) {
        size += piece.length;
        isFull ||= heldBytes + piece.length > mostHeldBytes;
        if (isFull || size > mostBodyBytes) continue;
        pieces.push(piece);
        heldBytes += piece.length;
        heldHere += piece.length;
      }
    } catch (cause) {
      const seconds = requestTimeoutMs / 1000;
      throw new SalonError(
        'response_truncated',
        `A request did not come to its end: its sender went away, or took more than ${seconds} s.`,
        { cause },
      );
    } finally {
      heldBytes -= heldHere;
    }
    if (size > mostBodyBytes) {
      throw new SalonError('payload_too_large', `A body of ${size} bytes was not taken: 1 MiB is the most.`);
    }
    if (isFull) throw queueFull();
    return Buffer.concat(pieces);
  }

  function close(): Promise<void> {
    closing ??= end();
    return closing;
  }

  async function end(): Promise<void> {
    const deadline = setTimeout(() => server.closeAllConnections(), closingPatienceMs);
    server.close();
    server.closeIdleConnections();
    await once(server, 'close');
    clearTimeout(deadline);
  }
}

/** What a sender is told to do later once more. */
export function queueFull(): SalonError {
  return new SalonError(
    'service_unavailable',
    'Too many webhooks wait to be dealt with; this one was not taken.',
  );
}

interface RefusalAnswer {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

function toAnswer(thrown: unknown): RefusalAnswer {
  if (!(thrown instanceof SalonError)) return { status: 500, message: String(thrown), headers: {} };
  const { message } = thrown;
  switch (thrown.code) {
    case 'method_not_allowed':
      return { status: 405, message, headers: { allow: 'POST' } };
    case 'payload_too_large':
      return { status: 413, message, headers: { connection: 'close' } };
    case 'unsupported_media_type':
      return { status: 415, message, headers: {} };
    case 'service_unavailable':
      return { status: 503, message, headers: { 'retry-after': '30' } };
    default:
      return { status: 400, message, headers: {} };
  }
}

function portLost(reason: string): SalonError {
  return new SalonError('connection_failed', `Nothing is received any more: ${reason}.`, {
    hint: 'Start it again; what came meanwhile is in the log of the service.',
  });
}

/** Every address of the machine is listened on under a name that cannot be called. */
function toOrigin({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (address === '::') return `http://[::1]:${port}`;
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}

function toListenError(error: unknown, { host, port }: { host: string; port: number }): SalonError {
  return new SalonError('usage', `Nothing can be received on port ${port} of ${host}: ${reasonOf(error)}.`, {
    hint: 'Choose another port, or --port 0 for any free one; --host 127.0.0.1 is this machine alone.',
    cause: error,
  });
}

function reasonOf(error: unknown): string {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'another program has it',
    EACCES: 'permission is denied',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTFOUND: 'no such host is known',
  };
  return reasons[systemCodeOf(error) ?? ''] ?? String(error);
}
