import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { SalonError } from '../../contract/errors.ts';
import { createInterruptedError } from '../deadline.ts';
import { createDecompressor } from './read-body.ts';
import { toTransportError } from './transport-error.ts';

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

export interface BodyReceiver {
  readonly body: BodyStream;
  add(chunk: Uint8Array): void;
  end(): void;
  fail(error: Error): void;
}

export interface BodyStreamOptions {
  readonly origin: string;
  /** Of the `Content-Encoding` header. Throws `unexpected_response` for an unknown one. */
  readonly encoding: string | undefined;
  /** How long the server may send nothing while it is waited for. */
  readonly idleMs: number;
  /** Each ends the body with `interrupted`. */
  readonly signals: readonly (AbortSignal | undefined)[];
  readonly createIdleError: () => SalonError;
}

/** Enough for the server to keep sending while one part of the body is parsed. */
const bufferBytes = 131_072;

export function openBodyStream(
  controller: Dispatcher.DispatchController,
  { origin, encoding, idleMs, signals, createIdleError }: BodyStreamOptions,
): BodyReceiver {
  let bytes = 0;
  let start: Uint8Array = new Uint8Array();
  let isComplete = false;
  let idle: NodeJS.Timeout | undefined;
  const { promise: ended, resolve: finish } = Promise.withResolvers<Awaited<BodyStream['ended']>>();
  const decompressor = createDecompressor(encoding);
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
  const output = decompressor === undefined ? received : decompressor(received);
  return {
    body: { chunks: toChunks(), cancel: () => void output.destroy(), ended },
    add(chunk) {
      bytes += chunk.length;
      stopWaiting();
      if (!received.push(chunk)) controller.pause();
    },
    end() {
      isComplete = true;
      stopWaiting();
      received.push(null);
    },
    fail(error) {
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
