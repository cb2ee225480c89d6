import { STATUS_CODES } from 'node:http';
import type { RequestTimings } from '../../client/events.ts';
import { type EventMask, type HttpHeaders, type RequestEvent, typeOf } from '../messages/request-log.ts';

/** One request and how it ended. */
export interface Exchange {
  readonly startedAt: Date;
  readonly request: Extract<RequestEvent, { readonly type: 'request' }>;
  /** Undefined for a request that was still in progress at the end. */
  readonly ending: Exclude<RequestEvent, { readonly type: 'request' }> | undefined;
}

/** Longer bodies are cut. */
const maxBodyLength = 1_048_576;
/** What HTTP Archive writes for a number that is unknown. */
const unknown = -1;

/** An entry of an HTTP Archive, version 1.2 (http://www.softwareishard.com/blog/har-12-spec/). */
export function toHarEntry({ startedAt, request, ending }: Exchange, mask: EventMask): object {
  const timings = toHarTimings(ending);
  const address = ending?.timings?.address;
  const problem = ending?.type === 'failure' ? mask.reason(ending.reason) : undefined;
  return {
    startedDateTime: startedAt.toISOString(),
    time: sumOf(timings),
    request: toHarRequest(request, mask),
    response: ending?.type === 'response' ? toHarResponse(ending, mask) : noResponse(ending?.status),
    cache: {},
    timings,
    ...(address === undefined ? {} : { serverIPAddress: address }),
    ...(ending === undefined ? { comment: 'No response yet.', _error: 'No response yet.' } : {}),
    ...(problem === undefined ? {} : { comment: problem, _error: problem }),
  };
}

function toHarRequest(request: Exchange['request'], mask: EventMask): object {
  const headers = request.headers();
  const url = mask.url(request.url);
  const body = request.body();
  return {
    method: request.method,
    url: url.replaceAll('…', '%E2%80%A6'),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toPairs(mask.headers(headers)),
    queryString: Array.from(new URLSearchParams(url.split('?')[1]), ([name, value]) => ({ name, value })),
    ...(body === undefined || body === '' ? {} : { postData: toPostData(body, typeOf(headers), mask) }),
    headersSize: unknown,
    bodySize: request.bodyBytes,
  };
}

function toPostData(body: string, type: string, mask: EventMask): object {
  const { text, comment } = cut(mask.body(body, { type, isError: false }));
  return { mimeType: type, text, ...comment };
}

function toHarResponse(
  response: Extract<RequestEvent, { readonly type: 'response' }>,
  mask: EventMask,
): object {
  const headers = response.headers();
  const type = typeOf(headers);
  const { text, comment } = cut(mask.body(response.body(), { type, isError: response.status >= 400 }));
  return {
    status: response.status,
    statusText: STATUS_CODES[response.status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toPairs(mask.headers(headers)),
    content: { size: response.bodyBytes, mimeType: type || 'x-unknown', text, ...comment },
    redirectURL: '',
    headersSize: unknown,
    bodySize: unknown,
  };
}

function noResponse(status = 0): object {
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [],
    content: { size: 0, mimeType: 'x-unknown' },
    redirectURL: '',
    headersSize: unknown,
    bodySize: unknown,
  };
}

function cut(text: string) {
  if (text.length <= maxBodyLength) return { text, comment: {} };
  const comment = `Cut: the first ${maxBodyLength} of ${text.length} characters.`;
  return { text: text.slice(0, maxBodyLength), comment: { comment } };
}

function toPairs(values: HttpHeaders): object[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

interface HarTimings {
  readonly blocked: number;
  readonly dns: number;
  /** Includes `ssl`. */
  readonly connect: number;
  readonly ssl: number;
  readonly send: number;
  readonly wait: number;
  readonly receive: number;
}

function toHarTimings(ending: Exchange['ending']): HarTimings {
  const measured: Partial<RequestTimings> = ending?.timings ?? {};
  const { blockedMs = ending?.tookMs ?? unknown, dnsMs = unknown, connectMs, tlsMs } = measured;
  return {
    blocked: round(blockedMs),
    dns: round(dnsMs),
    connect: connectMs === undefined ? unknown : round(connectMs + (tlsMs ?? 0)),
    ssl: round(tlsMs ?? unknown),
    // Unlike the others, these must not be unknown.
    send: round(measured.sendMs ?? 0),
    wait: round(measured.waitMs ?? 0),
    receive: round(measured.receiveMs ?? 0),
  };
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

function sumOf({ blocked, dns, connect, send, wait, receive }: HarTimings): number {
  return round([blocked, dns, connect, send, wait, receive].reduce((sum, ms) => sum + Math.max(0, ms), 0));
}
