import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

/** A received request. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Handles a request, with access to the socket. */
export type Reply = (response: ServerResponse) => void;

export interface MisbehavingServer extends AsyncDisposable {
  readonly origin: string;
  readonly received: readonly Received[];
  /** The maximum number of concurrent requests so far. */
  readonly mostAtOnce: () => number;
}

/** Starts a real server on loopback. The script decides on every request; `index` counts them from 0. */
export async function openMisbehavingServer(
  script: (request: Received, index: number) => Reply,
  options: { maxHeaderSize?: number } = {},
): Promise<MisbehavingServer> {
  const received: Received[] = [];
  let atOnce = 0;
  let most = 0;
  const server = createServer(options, async (incoming, response) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    response.on('close', () => {
      atOnce -= 1;
    });
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://server');
    const { method = '', headers } = incoming;
    const request = { method, path: pathname, query: searchParams, headers, body: await text(incoming) };
    script(request, received.push(request) - 1)(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    mostAtOnce: () => most,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export interface ReplyOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

export function json(value: unknown, options: ReplyOptions = {}): Reply {
  return body(JSON.stringify(value), {
    ...options,
    headers: { 'content-type': 'application/json', ...options.headers },
  });
}

export function html(title: string, options: ReplyOptions = {}): Reply {
  const page = `<!DOCTYPE html><html><head><title>${title}</title></head><body>…</body></html>`;
  return body(page, { ...options, headers: { 'content-type': 'text/html', ...options.headers } });
}

export function body(content: string | Uint8Array, { status = 200, headers = {} }: ReplyOptions = {}): Reply {
  return (response) => response.writeHead(status, headers).end(content);
}

/** A problem response as the service sends it. */
export function problem(status: number, code: string, members: object = {}): Reply {
  const headers = { 'content-type': 'application/problem+json' };
  return json(
    { type: 'about:blank', title: code, status, detail: `It is ${code}.`, code, ...members },
    { status, headers },
  );
}

/** Sends these replies in order, then the last one again and again. */
export function replyInOrder(...replies: readonly Reply[]) {
  return (_request: unknown, index: number): Reply => replies[Math.min(index, replies.length - 1)] ?? hang;
}

/** Accepts the request and never responds. */
export const hang: Reply = () => {};

/** Closes the connection without a response. */
export const nothing: Reply = (response) => response.socket?.end();

export const reset: Reply = (response) => response.socket?.resetAndDestroy();

/** Writes raw bytes and closes the connection. */
export function raw(bytes: string): Reply {
  return (response) => response.socket?.end(bytes);
}

/** Sends `100 Continue` first, which no request has asked for. */
export function continueFirst(reply: Reply, times = 1): Reply {
  return (response) => {
    for (let sent = 0; sent < times; sent += 1) response.writeContinue();
    reply(response);
  };
}

/** Sends less than its Content-Length. */
export const halfABody: Reply = raw(
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"data": [',
);

/** Sends headers at once, then a space from time to time, forever. */
export const drip: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 5);
  response.on('close', () => clearInterval(timer));
};

/** Ten gigabytes of zipped data: one compressed chunk, repeated. */
export const bomb: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  const piece = gzipSync(Buffer.alloc(64 * 1_048_576, ' '));
  for (let sent = 0; sent < 160; sent += 1) response.write(piece);
  response.end();
};
