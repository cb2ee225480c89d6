import { SalonError } from '../../contract/errors.ts';
import { openConnection, type ProxyRoute } from './connection.ts';
import { send } from './send.ts';

/** What a receiver of webhooks answered. */
export interface Receipt {
  readonly status: number;
  /** The body as text, for a person to read. */
  readonly text: string;
}

/** The way to one receiver of webhooks. */
export interface Postbox extends AsyncDisposable {
  /** Sends one webhook, once. Any answer is a receipt, also a refusal or a redirect; throws where there was none. */
  post(webhook: { headers: Readonly<Record<string, string>>; body: string }): Promise<Receipt>;
}

export interface PostboxOptions {
  readonly url: URL;
  readonly timeoutMs: number;
  readonly proxy?: ProxyRoute | undefined;
  readonly signal?: AbortSignal | undefined;
}

const mostAnswerBytes = 1_048_576;

/** Nothing is opened before the first webhook. */
export function openPostbox({ url, timeoutMs, proxy, signal }: PostboxOptions): Postbox {
  const { origin } = url;
  const connection = openConnection({ origin, concurrency: 1, connectTimeoutMs: timeoutMs, proxy });
  const limits = { timeoutMs, maxAnswerBytes: mostAnswerBytes, signal };
  return {
    async post({ headers, body }) {
      const outgoing = { method: 'POST', origin, path: url.pathname + url.search, headers, body };
      try {
        const { status, bytes } = await send(connection, outgoing, limits);
        return { status, text: Buffer.from(bytes).toString('utf8') };
      } catch (thrown) {
        if (!(thrown instanceof SalonError) || thrown.code !== 'redirect_refused') throw thrown;
        return { status: thrown.status ?? 302, text: thrown.message };
      }
    },
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
