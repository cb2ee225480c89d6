import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface TestRequest {
  readonly method?: string;
  /** An API key. */
  readonly key?: string;
  /** A list of values sends several headers. */
  readonly headers?: OutgoingHttpHeaders;
  /** Bytes are sent unchanged; anything else as JSON. */
  readonly body?: unknown;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** Sends a request with node:http, which allows invalid ones, on a new connection. */
export async function sendRequest(url: string, sent: TestRequest = {}): Promise<TestResponse> {
  const { method = 'GET', key, headers = {}, body } = sent;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = body === undefined || isRaw ? body : JSON.stringify(body);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, {
      method,
      agent: false,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
        ...(bytes === undefined || 'transfer-encoding' in headers
          ? {}
          : { 'content-length': Buffer.byteLength(bytes) }),
        ...headers,
      },
    })
      .on('response', resolve)
      .on('error', reject)
      .end(bytes);
  });
  const text = (await buffer(answer)).toString('utf8');
  const flat = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
  return { status: answer.statusCode ?? 0, headers: Object.fromEntries(flat), text };
}

/** Parses the body of a response as a JSON object. */
export function toJson(answer: TestResponse): Record<string, unknown> {
  return JSON.parse(answer.text);
}
