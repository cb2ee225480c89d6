import { SalonError } from '../../contract/errors.ts';
import type { Mask } from '../../contract/mask-secrets.ts';
import type { Clock } from '../clock.ts';
import type { Observe } from '../events.ts';
import { maskHeaders } from '../headers.ts';
import type { Connection } from './connection.ts';
import { createRequestTimer } from './request-timer.ts';
import { type ApiRequest, type RawResponse, type SendLimits, send } from './send.ts';

export interface ObservedSendOptions {
  readonly connection: Connection;
  readonly observe: Observe;
  /** Hides secrets in what is observed. */
  readonly mask: Mask;
  readonly clock: Clock;
  /** Whether the phases of requests are measured. */
  readonly isTimed: boolean;
}

/** Like `send`, and reports the request with its response or failure. Numbers the requests from 1. */
export function createObservedSend({ connection, observe, mask, clock, isTimed }: ObservedSendOptions) {
  let requests = 0;
  return async (request: ApiRequest, limits: SendLimits): Promise<RawResponse> => {
    const startMs = clock.now();
    const details = { number: ++requests, method: request.method, url: mask(request.origin + request.path) };
    observe({
      type: 'request',
      ...details,
      headers: () => maskHeaders(request.headers, mask),
      bodyBytes: Buffer.byteLength(request.body ?? ''),
      body: () => request.body && mask(request.body),
    });
    const timer = isTimed ? createRequestTimer() : undefined;
    const readTimes = () => ({ tookMs: clock.now() - startMs, timings: timer?.read() });
    try {
      const response = await send(connection, request, { ...limits, timer });
      const { stream, bytes } = response;
      if (stream === undefined) reportResponse(response, bytes.length);
      else {
        void stream.ended.then((end) =>
          end.error === undefined
            ? reportResponse({ ...response, bytes: end.start }, end.bytes)
            : reportFailure(end.error),
        );
      }
      return response;
    } catch (thrown) {
      reportFailure(thrown);
      throw thrown;
    }

    function reportResponse({ status, headers, bytes }: RawResponse, bodyBytes: number): void {
      observe({
        type: 'response',
        ...details,
        status,
        headers: () => maskHeaders(headers, mask),
        bodyBytes,
        body: () => mask(Buffer.from(bytes).toString()),
        ...readTimes(),
      });
    }

    function reportFailure(thrown: unknown): void {
      const reason = mask(thrown instanceof Error ? thrown.message : String(thrown));
      const status = thrown instanceof SalonError ? thrown.status : undefined;
      observe({ type: 'failure', ...details, status, reason, ...readTimes() });
    }
  };
}
