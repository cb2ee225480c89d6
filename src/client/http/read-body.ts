import { pipeline, Readable } from 'node:stream';
import {
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzip,
  inflate,
} from 'node:zlib';
import type { Dispatcher } from 'undici';
import { SalonError } from '../../contract/errors.ts';
import { createInterruptedError } from '../deadline.ts';
import { toTransportError } from './transport-error.ts';

/** The content encodings that can be decompressed, as `Accept-Encoding` lists them. */
export const acceptedEncodings = 'gzip, deflate, br';

const gzip = { whole: gunzip, open: createGunzip };
/** By content encoding: functions that decompress a whole body, or one that is arriving. */
const decompressions = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', { whole: inflate, open: createInflate }],
  ['br', { whole: brotliDecompress, open: createBrotliDecompress }],
]);

/** Undefined for a body that is not compressed. Throws `unexpected_response` for an unknown encoding. */
function findDecompression(encoding = 'identity') {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return undefined;
  const found = decompressions.get(name);
  if (found !== undefined) return found;
  throw new SalonError('unexpected_response', 'The response has an unsupported content encoding.', {
    hint: `The server may use one of ${acceptedEncodings}.`,
  });
}

/** Throws `response_too_large` as soon as the limit is passed, and `unexpected_response` for an unknown encoding. */
export async function decompress(
  bytes: Uint8Array,
  { encoding, maxBytes }: { readonly encoding: string; readonly maxBytes: number },
): Promise<Uint8Array> {
  const decompression = findDecompression(encoding);
  if (decompression === undefined) return bytes;
  return new Promise((resolve, reject) => {
    decompression.whole(bytes, { maxOutputLength: maxBytes }, (error, decompressed) => {
      if (error === null) resolve(decompressed);
      else reject('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(maxBytes) : error);
    });
  });
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
  const decompression = findDecompression(encoding);
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
  for (const signal of signals) signal?.addEventListener('abort', interrupt);
  if (signals.some((signal) => signal?.aborted)) interrupt();
  // An error of either ends both, and is thrown where the output is read.
  const output = decompression === undefined ? received : pipeline(received, decompression.open(), () => {});
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
