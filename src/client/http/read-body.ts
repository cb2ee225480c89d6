import { pipeline, Readable } from 'node:stream';
import {
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzip,
  inflate,
  inflateRaw,
} from 'node:zlib';
import type { Dispatcher } from 'undici';
import { SalonError } from '../../contract/errors.ts';
import { quote } from '../../text/quote.ts';
import { createInterruptedError } from '../deadline.ts';
import { toTransportError } from './transport-error.ts';

/**
 * The content encodings to ask for. Not `deflate`: servers disagree about what it is (RFC 9110, 8.4.1.2), and all that
 * know it know gzip.
 */
export const acceptedEncodings = 'gzip, br';

const gzip = { whole: gunzip, open: createGunzip };
const zlib = { whole: inflate, open: createInflate };
/** By content encoding: functions that decompress a whole body, or one that is arriving. */
const knownEncodings = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', zlib],
  ['br', { whole: brotliDecompress, open: createBrotliDecompress }],
]);
/** Each may multiply the size a thousand times, and servers have no reason for more. */
const maxEncodings = 3;

/** Those of a `Content-Encoding` header, the last one first. Throws `unexpected_response` for an unknown encoding. */
function findDecompressions(encoding = '') {
  const given = encoding.split(',').map((name) => name.trim().toLowerCase());
  const names = given.filter((name) => name !== '' && name !== 'identity');
  const found = names.flatMap((name) => knownEncodings.get(name) ?? []);
  if (found.length === names.length && found.length <= maxEncodings) return found.reverse();
  const problem = `The response has an unsupported content encoding: ${quote(encoding, 60)}.`;
  throw new SalonError('unexpected_response', problem, {
    hint: `The server may use one of ${acceptedEncodings}.`,
  });
}

/** Throws `response_too_large` as soon as the limit is passed, and `unexpected_response` for an unknown encoding. */
export async function decompress(
  bytes: Uint8Array,
  { encoding, maxBytes }: { readonly encoding: string; readonly maxBytes: number },
): Promise<Uint8Array> {
  // The response to a HEAD names an encoding, too.
  if (bytes.length === 0) return bytes;
  let current = bytes;
  for (const found of findDecompressions(encoding)) {
    const whole = found === zlib && !hasZlibHeader(current) ? inflateRaw : found.whole;
    if (found === gzip) current = current.subarray(0, current.findLastIndex((byte) => !isSpace(byte)) + 1);
    current = await new Promise((resolve, reject) => {
      whole(current, { maxOutputLength: maxBytes }, (error, decompressed) => {
        if (error === null) resolve(decompressed);
        else reject('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(maxBytes) : error);
      });
    });
  }
  return current;
}

/** Some servers send a line break after gzip, which Node takes for more of it. No body below the limit ends so itself. */
const isSpace = (byte: number) => byte === 10 || byte === 13;

/** Some servers send `deflate` without the header that RFC 1950, 2.2, describes. */
function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

export function tooLarge(maxBytes: number): SalonError {
  const mebibytes = Math.round((maxBytes / 1_048_576) * 10) / 10;
  return new SalonError('response_too_large', `The response is larger than ${mebibytes} MiB.`, {
    hint: 'Request fewer records per page, or raise the limit.',
  });
}

/** A body that is read while it arrives. Nothing more is received while the reader is busy. */
export interface BodyStream {
  /** The decompressed bytes. Throws the errors of `send`. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Closes the connection if the body has not ended. */
  cancel(): void;
  /** How it ended; without an error also if it was cancelled. `start`: what the reader got first. */
  readonly ended: Promise<{
    readonly bytes: number;
    readonly start: Uint8Array;
    readonly error?: SalonError;
  }>;
}

interface BodyStreamOptions {
  readonly origin: string;
  /** Of the `Content-Encoding` header. Throws `unexpected_response` for an unknown one. */
  readonly encoding: string | undefined;
  /** How long the server may send nothing while it is waited for. */
  readonly idleMs: number;
  /** Each ends the body with `interrupted`. */
  readonly signals: readonly (AbortSignal | undefined)[];
  readonly createIdleError: () => SalonError;
}

export type BodyReceiver = ReturnType<typeof openBodyStream>;

/** Enough for the server to keep sending while one part of the body is parsed. */
const bufferBytes = 131_072;

export function openBodyStream(
  controller: Dispatcher.DispatchController,
  { origin, encoding, idleMs, signals, createIdleError }: BodyStreamOptions,
) {
  let bytes = 0;
  let start: Uint8Array = new Uint8Array();
  let isComplete = false;
  let idle: NodeJS.Timeout | undefined;
  const { promise: ended, resolve: finish } = Promise.withResolvers<Awaited<BodyStream['ended']>>();
  const decompressions = findDecompressions(encoding);
  const received = new Readable({
    highWaterMark: bufferBytes,
    read() {
      idle ??= setTimeout(() => received.destroy(createIdleError()), idleMs);
      if (controller.paused) controller.resume();
    },
    destroy(error, done) {
      stopWaiting();
      for (const signal of signals) signal?.removeEventListener('abort', interrupt);
      if (!isComplete) controller.abort(error ?? createInterruptedError(undefined));
      const failure = error === null ? undefined : toTransportError(error, origin);
      finish({ bytes, start, ...(failure && { error: failure }) });
      done(error);
    },
  });
  // Nobody may read the body yet when the client is closed.
  received.on('error', () => {});
  for (const signal of signals) signal?.addEventListener('abort', interrupt);
  if (signals.some((signal) => signal?.aborted)) interrupt();
  // An error of either ends both, and is thrown where the output is read.
  const output = decompressions.reduce<Readable>(
    (input, { open }) => pipeline(input, open(), () => {}),
    received,
  );
  const body: BodyStream = { chunks: toChunks(), cancel: () => void output.destroy(), ended };
  return {
    body,
    add(chunk: Uint8Array) {
      bytes += chunk.length;
      stopWaiting();
      if (!received.push(chunk)) controller.pause();
    },
    end() {
      isComplete = true;
      stopWaiting();
      received.push(null);
    },
    fail(error: Error) {
      isComplete = true;
      received.destroy(error);
    },
  };

  async function* toChunks(): AsyncGenerator<Uint8Array, void> {
    try {
      for await (const chunk of output as AsyncIterable<Uint8Array>) {
        if (start.length === 0) start = chunk;
        yield chunk;
      }
    } catch (thrown) {
      throw toTransportError(thrown, origin);
    }
  }

  function stopWaiting(): void {
    clearTimeout(idle);
    idle = undefined;
  }

  function interrupt(): void {
    const reason: unknown = signals.find((signal) => signal?.aborted)?.reason;
    received.destroy(createInterruptedError(reason));
  }
}
