import type { Dispatcher } from 'undici';
import { SalonError } from '../../contract/errors.ts';
import { interrupted } from '../deadline.ts';
import { headerOf, type ResponseHeaders } from '../headers.ts';
import type { Connection } from './connection.ts';
import { toQuote } from './quote.ts';
import { createCollector, unpack } from './read-body.ts';
import { toTransportError } from './transport-error.ts';

/** One request as it goes out. */
export interface Outgoing {
  readonly method: string;
  readonly origin: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What came back: whole, unpacked, not yet understood. */
export interface RawResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly bytes: Uint8Array;
}

export interface SendLimits {
  /** For the whole request, from the first byte sent to the last one read. */
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends one request and reads its answer. Never goes where a redirect points.
 * Throws `timeout`, `interrupted`, `redirect_refused`, `response_too_large` and what `toTransportError` names.
 */
export async function send(
  connection: Connection,
  outgoing: Outgoing,
  limits: SendLimits,
): Promise<RawResponse> {
  const { origin } = outgoing;
  try {
    if (limits.signal?.aborted) throw interrupted(limits.signal.reason);
    const { bytes: packed, ...head } = await receive(connection, outgoing, limits);
    const encoding = headerOf(head.headers, 'content-encoding');
    const bytes = await unpack(packed, { encoding, maxBytes: limits.maxAnswerBytes });
    assertWhole(bytes, head.headers, origin);
    return { ...head, bytes };
  } catch (thrown) {
    throw toTransportError(thrown, origin);
  }
}

/**
 * The answer as it came over the wire. A handler of our own instead of undici's `request`, whose streams take a
 * third more time and memory.
 */
function receive(connection: Connection, outgoing: Outgoing, limits: SendLimits): Promise<RawResponse> {
  const { method, path, headers, body = null, origin } = outgoing;
  return new Promise<RawResponse>((resolve, reject) => {
    const collect = createCollector(limits.maxAnswerBytes);
    let answered: Pick<RawResponse, 'status' | 'headers'> | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let stopped: SalonError | undefined;
    const timer = setTimeout(() => stop(timedOut(origin, limits.timeoutMs)), limits.timeoutMs);
    const interrupt = () => stop(interrupted(limits.signal?.reason));
    limits.signal?.addEventListener('abort', interrupt);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (stopped !== undefined) started.abort(stopped);
      },
      onResponseStart(_controller, status, received) {
        if (status < 200) return;
        assertNoRedirect(status, received, origin);
        answered = { status, headers: received };
      },
      onResponseData: (_controller, chunk) => collect.add(chunk),
      onResponseEnd() {
        const head = answered;
        if (head !== undefined) end(() => resolve({ ...head, bytes: collect.bytes() }));
      },
      onResponseError: (_controller, error) => end(() => reject(error)),
    };
    connection.dispatch({ method, path, headers, body }, handler).catch(stop);

    function stop(reason: SalonError): void {
      stopped = reason;
      controller?.abort(reason);
      end(() => reject(reason));
    }

    function end(settle: () => void): void {
      clearTimeout(timer);
      limits.signal?.removeEventListener('abort', interrupt);
      settle();
    }
  });
}

const redirects = [301, 302, 303, 307, 308];

function assertNoRedirect(status: number, headers: ResponseHeaders, origin: string): void {
  if (!redirects.includes(status)) return;
  const target = toQuote(headerOf(headers, 'location') ?? 'nowhere', 200);
  throw new SalonError('redirect_refused', `${origin} points to ${target}. Redirects are not followed.`, {
    status,
    hint: 'If that is the right place, give it as the base address.',
    members: { location: target },
  });
}

/** Without a content length nothing but the missing bracket shows that a connection was lost. */
function assertWhole(bytes: Uint8Array, headers: ResponseHeaders, origin: string): void {
  if (isClosed(bytes) || !/json/i.test(headerOf(headers, 'content-type') ?? 'json')) return;
  const [start, end] = [bytes.subarray(0, 64), bytes.subarray(-64)].map((piece) =>
    Buffer.from(piece).toString().trim(),
  );
  if (!/^[[{]/.test(start ?? '') || /(^|[\]}])$/.test(end ?? '')) return;
  throw new SalonError('response_truncated', `The answer of ${origin} ends in the middle.`, {
    hint: 'Try again in a moment.',
    retryable: true,
  });
}

function isClosed(bytes: Uint8Array): boolean {
  return ']}'.includes(String.fromCharCode(bytes.at(-1) ?? 0));
}

function timedOut(origin: string, timeoutMs: number): SalonError {
  return new SalonError('timeout', `No complete answer from ${origin} within ${timeoutMs / 1000} s.`, {
    hint: 'Try again, or allow more time.',
    retryable: true,
  });
}
