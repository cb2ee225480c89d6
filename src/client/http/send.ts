import type { Dispatcher } from 'undici';
import { SalonError } from '../../contract/errors.ts';
import { linesMediaType } from '../../contract/schemas.ts';
import { quote } from '../../text/quote.ts';
import { createInterruptedError, onAbort } from '../deadline.ts';
import { type ResponseHeaders, readHeader } from '../response-headers.ts';
import type { Connection } from './http-connection.ts';
import { type BodyReceiver, type BodyStream, decompress, openBodyStream, tooLarge } from './read-body.ts';
import type { RequestTimer } from './request-timer.ts';
import { toTransportError } from './transport-error.ts';

export interface ApiRequest {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whether a response of JSON lines is read while it arrives. */
  readonly streams?: boolean | undefined;
  /** How long the server may hold it, besides the time that any request may take. */
  readonly heldMs?: number | undefined;
  /** Whether it does not wait for the rate limit, because the server responds above that, too. */
  readonly isUnlimited?: boolean | undefined;
  /** Whether a redirect is a response like others, for requests without a key. */
  readonly allowsRedirect?: boolean;
}

/** A complete, decompressed response that is not parsed yet. */
export interface RawResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Empty for a response that is read while it arrives. */
  readonly bytes: Uint8Array;
  readonly stream?: BodyStream;
}

export interface SendLimits {
  /** From the first byte sent to the last byte received. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Ends a response that is read while it arrives. */
  readonly stop?: AbortSignal | undefined;
  /** Measures the phases of the request. */
  readonly timer?: RequestTimer | undefined;
}

/**
 * Sends one request and reads its response. Does not follow redirects, and refuses them unless the request allows them.
 * Throws `timeout`, `interrupted`, `redirect_refused`, `response_too_large` and the errors of `toTransportError`.
 */
export async function send(
  connection: Connection,
  request: ApiRequest,
  limits: SendLimits,
): Promise<RawResponse> {
  const { origin } = request;
  try {
    if (limits.signal?.aborted) throw createInterruptedError(limits.signal.reason);
    const response = await receive(connection, request, limits);
    if (response.stream !== undefined) return response;
    const { bytes: received, ...head } = response;
    const encoding = readHeader(head.headers, 'content-encoding');
    const { maxResponseBytes: maxBytes } = limits;
    const bytes = encoding === undefined ? received : await decompress(received, { encoding, maxBytes });
    // An error is one, however much of its text has come.
    if (head.status < 400 && isIncomplete(bytes, head.headers)) throw responseIncomplete(origin);
    return { ...head, bytes };
  } catch (thrown) {
    throw toTransportError(thrown, origin);
  }
}

/** Uses a dispatch handler instead of undici's `request`, whose streams take a third more time and memory. */
function receive(connection: Connection, request: ApiRequest, limits: SendLimits): Promise<RawResponse> {
  const { method, path, headers, body = null, origin } = request;
  return new Promise<RawResponse>((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    let head: Pick<RawResponse, 'status' | 'headers'> | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let stopped: SalonError | undefined;
    let receiver: BodyReceiver | undefined;
    const timer = setTimeout(() => stop(timedOut(origin, limits.timeoutMs)), limits.timeoutMs);
    const forget = onAbort(limits.signal, () => stop(createInterruptedError(limits.signal?.reason)));
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        limits.timer?.started();
        if (stopped !== undefined) started.abort(stopped);
      },
      onResponseStart(started, status, received) {
        if (status < 200) return;
        limits.timer?.responded();
        if (redirects.includes(status) && !request.allowsRedirect)
          throw redirectRefused(status, received, origin);
        head = { status, headers: received };
        const type = readHeader(received, 'content-type')?.toLowerCase() ?? '';
        if (!request.streams || status !== 200 || !type.startsWith(linesMediaType)) return;
        receiver = openBodyStream(started, {
          origin,
          encoding: readHeader(received, 'content-encoding'),
          idleMs: limits.timeoutMs,
          signals: [limits.signal, limits.stop],
          createIdleError: () => timedOut(origin, limits.timeoutMs),
        });
        finish();
        resolve({ ...head, bytes: new Uint8Array(), stream: receiver.body });
      },
      onResponseData(_controller, chunk) {
        if (receiver !== undefined) return receiver.add(chunk);
        size += chunk.length;
        if (size > limits.maxResponseBytes) throw tooLarge(limits.maxResponseBytes);
        chunks.push(chunk);
      },
      onResponseEnd() {
        receiver?.end();
        if (head === undefined) return;
        finish();
        // Most responses come in one piece, which is not copied.
        const [first = Buffer.alloc(0)] = chunks;
        resolve({ ...head, bytes: chunks.length < 2 ? first : Buffer.concat(chunks, size) });
      },
      onResponseError(_controller, error) {
        receiver?.fail(error);
        finish();
        reject(error);
      },
    };
    connection.dispatch({ method, path, headers, body }, handler, request.streams).catch(stop);

    function stop(reason: SalonError): void {
      stopped = reason;
      controller?.abort(reason);
      finish();
      reject(reason);
    }

    function finish(): void {
      clearTimeout(timer);
      forget();
    }
  });
}

const redirects = [301, 302, 303, 307, 308];

function redirectRefused(status: number, headers: ResponseHeaders, origin: string): SalonError {
  const location = readHeader(headers, 'location');
  const target = location === undefined ? 'no address' : quote(location, 200);
  return new SalonError('redirect_refused', `${origin} redirects to ${target}.`, {
    status,
    hint: 'Redirects are not followed. If this is the right address, use it as the base URL.',
    members: { location: location === undefined ? 'nowhere' : target },
  });
}

/** Without a content length, only a missing bracket shows that the connection was lost. */
function isIncomplete(bytes: Uint8Array, headers: ResponseHeaders): boolean {
  if (!/json/i.test(readHeader(headers, 'content-type') ?? 'json')) return false;
  const start = Buffer.from(bytes.subarray(0, 64)).toString().trim();
  const end = Buffer.from(bytes.subarray(-64)).toString().trim();
  return /^[[{]/.test(start) && !/(^|[\]}])$/.test(end);
}

export function responseIncomplete(origin: string): SalonError {
  return new SalonError('response_truncated', `The response from ${origin} is incomplete.`, {
    hint: 'Try again in a moment.',
    retryable: true,
  });
}

function timedOut(origin: string, timeoutMs: number): SalonError {
  return new SalonError('timeout', `${origin} did not respond within ${timeoutMs / 1000} s.`, {
    hint: 'Try again, or allow more time.',
    retryable: true,
  });
}
