import { SalonError } from '../contract/errors.ts';
import type { Connection } from './connection.ts';
import { type AnswerHeaders, headerOf } from './headers.ts';
import { toQuote } from './quote.ts';
import { readBody } from './read-body.ts';
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
export interface RawAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
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
 * Throws `timeout`, `interrupted`, `redirect_refused`, `answer_too_large` and what `toTransportError` names.
 */
export async function send(
  connection: Connection,
  outgoing: Outgoing,
  limits: SendLimits,
): Promise<RawAnswer> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(timedOut(outgoing.origin, limits.timeoutMs)), limits.timeoutMs);
  const interrupt = () => stop.abort(interrupted(limits.signal?.reason));
  limits.signal?.addEventListener('abort', interrupt);
  try {
    if (limits.signal?.aborted) throw interrupted(limits.signal.reason);
    return await exchange(connection, outgoing, { maxBytes: limits.maxAnswerBytes, signal: stop.signal });
  } catch (thrown) {
    throw toTransportError(stop.signal.aborted ? stop.signal.reason : thrown, outgoing.origin);
  } finally {
    clearTimeout(timer);
    limits.signal?.removeEventListener('abort', interrupt);
  }
}

/** What ends a call when the caller's signal is aborted. */
export function interrupted(reason: unknown): SalonError {
  return new SalonError('interrupted', 'Interrupted.', { cause: reason });
}

async function exchange(
  connection: Connection,
  outgoing: Outgoing,
  limits: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<RawAnswer> {
  const { method, path, headers, body: sent } = outgoing;
  const {
    statusCode,
    headers: received,
    body,
  } = await connection.exchange({
    method,
    path,
    headers,
    body: sent ?? null,
    signal: limits.signal,
  });
  try {
    assertNoRedirect(statusCode, received, outgoing.origin);
    const encoding = headerOf(received, 'content-encoding');
    const bytes = await readBody(body, { encoding, maxBytes: limits.maxBytes });
    assertWhole(bytes, received, outgoing.origin);
    return { status: statusCode, headers: received, bytes };
  } catch (thrown) {
    body.on('error', () => {}).destroy();
    throw thrown;
  }
}

const redirects = [301, 302, 303, 307, 308];

function assertNoRedirect(status: number, headers: AnswerHeaders, origin: string): void {
  if (!redirects.includes(status)) return;
  const target = toQuote(headerOf(headers, 'location') ?? 'nowhere', 200);
  throw new SalonError('redirect_refused', `${origin} points to ${target}. Redirects are not followed.`, {
    status,
    hint: 'If that is the right place, give it as the base address.',
    members: { location: target },
  });
}

/** Without a content length nothing but the missing bracket shows that a connection was lost. */
function assertWhole(bytes: Uint8Array, headers: AnswerHeaders, origin: string): void {
  if (!/json/i.test(headerOf(headers, 'content-type') ?? 'json')) return;
  const [start, end] = [bytes.subarray(0, 64), bytes.subarray(-64)].map((piece) =>
    Buffer.from(piece).toString().trim(),
  );
  if (!/^[[{]/.test(start ?? '') || /(^|[\]}])$/.test(end ?? '')) return;
  throw new SalonError('answer_cut', `The answer of ${origin} ends in the middle.`, {
    hint: 'Try again in a moment.',
    retryable: true,
  });
}

function timedOut(origin: string, timeoutMs: number): SalonError {
  return new SalonError('timeout', `No complete answer from ${origin} within ${timeoutMs / 1000} s.`, {
    hint: 'Try again, or allow more time.',
    retryable: true,
  });
}
