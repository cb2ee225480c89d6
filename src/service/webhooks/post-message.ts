import type { Dispatcher } from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';
import { createCheckedConnector } from './checked-connector.ts';
import { AddressRefusal, type AddressRules } from './webhook-address.ts';

/** One message as it goes out. */
export interface OutgoingMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came of a message: an answer's head, or why there was none. */
export type Reply =
  | { readonly status: number; readonly retryAfter: string | undefined }
  | { readonly failure: string };

export interface Postman {
  /** Posts a message and answers what came of it; never throws. */
  post(message: OutgoingMessage, signal: AbortSignal): Promise<Reply>;
  /** Cuts every connection. */
  close(): Promise<void>;
}

export interface PostmanOptions extends AddressRules {
  /** For finding the address, connecting, sending, and the head of the answer. */
  readonly timeoutMs: number;
  /** For what follows the head. */
  readonly readMs?: number | undefined;
}

/** What is read of an answer's body, so that its connection can be used again; the rest is cut off. */
const mostReadBytes = 4096;
const usualReadMs = 1000;
/** Receivers often close idle connections after 5 s: one that is used again has to be younger. */
const keptAliveMs = 2000;

/**
 * Opens nothing yet. Proxies of the environment are not for these messages: they would connect to what was not checked.
 * No redirect is followed, and an answer counts once its head is there. A message is under way until its connection is
 * free or cut, so that answers which never end hold no more connections than there are lanes.
 */
export function createPostman({ timeoutMs, readMs = usualReadMs, ...rules }: PostmanOptions): Postman {
  const agent = new Agent({
    connect: createCheckedConnector(rules, timeoutMs),
    keepAliveTimeout: keptAliveMs,
    keepAliveMaxTimeout: keptAliveMs,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    post: (message, signal) => post(agent, message, { timeoutMs, readMs, signal }),
    close: () => agent.destroy(),
  };
}

interface Limits {
  readonly timeoutMs: number;
  readonly readMs: number;
  readonly signal: AbortSignal;
}

function post(agent: Agent, message: OutgoingMessage, limits: Limits): Promise<Reply> {
  const { timeoutMs, readMs, signal } = limits;
  const { origin, pathname, search } = new URL(message.url);
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let answer: Reply | undefined;
    let isEnded = false;
    let readBytes = 0;
    const stop = (failure: string) => {
      end({ failure });
      controller?.abort(new Error(failure));
    };
    let timer = setTimeout(() => stop(`No answer within ${timeoutMs / 1000} s.`), timeoutMs);
    const interrupt = () => stop('The service was stopped.');
    signal.addEventListener('abort', interrupt);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (isEnded) started.abort(new Error('Too late.'));
      },
      onResponseStart(_controller, status, headers) {
        if (status < 200 || isEnded) return;
        answer = { status, retryAfter: [headers['retry-after']].flat()[0] };
        clearTimeout(timer);
        timer = setTimeout(() => stop(unwanted), readMs);
      },
      onResponseData(_controller, chunk) {
        readBytes += chunk.length;
        if (readBytes > mostReadBytes) stop(unwanted);
      },
      onResponseEnd: () => end({ failure: unwanted }),
      onResponseError: (_controller, error) => end({ failure: toFailure(error) }),
    };
    const { headers, body } = message;
    agent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, handler);

    /** Once there was a head, whatever ends the exchange is no failure. */
    function end(reply: Reply): void {
      if (isEnded) return;
      isEnded = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
      resolve(answer ?? reply);
    }
  });
}

const unwanted = 'The rest of the answer is not wanted.';

const failures: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was cut.',
  UND_ERR_SOCKET: 'The connection was cut.',
  EPIPE: 'The connection was cut.',
  EHOSTUNREACH: 'The address cannot be reached.',
  ENETUNREACH: 'The address cannot be reached.',
  ETIMEDOUT: 'No connection came about.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection came about.',
};

/** What the sender's log says; whoever reads it may be a stranger, so causes of our own stay out. */
function toFailure(error: Error): string {
  if (error instanceof AddressRefusal) return error.message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code in failures) return failures[code] ?? '';
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return 'Its certificate cannot be trusted.';
  if (error.name === 'HTTPParserError') return 'The answer is not HTTP.';
  return 'The connection failed.';
}
