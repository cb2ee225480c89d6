import { SalonError } from '../../contract/errors.ts';
import { openConnection } from './http-connection.ts';
import type { ProxySettings } from './proxy.ts';
import { type ApiRequest, send } from './send.ts';

interface WebhookTargetOptions {
  readonly url: URL;
  readonly timeoutMs: number;
  readonly proxy?: ProxySettings | undefined;
  readonly signal?: AbortSignal | undefined;
}

const maxResponseBytes = 1_048_576;

/** Opens a URL that receives webhooks. Connects only with the first webhook. */
export function openWebhookTarget({ url, timeoutMs, proxy, signal }: WebhookTargetOptions) {
  const { origin } = url;
  const connection = openConnection({ origin, concurrency: 1, connectTimeoutMs: timeoutMs, proxy });
  const limits = { timeoutMs, maxResponseBytes, signal };
  return {
    /** Sends a webhook once. Returns any response, also a refusal or a redirect; throws where there is none. */
    async post({ headers, body }: Pick<ApiRequest, 'headers' | 'body'>) {
      const request = { method: 'POST', origin, path: url.pathname + url.search, headers, body };
      try {
        const { status, bytes } = await send(connection, request, limits);
        return { status, text: Buffer.from(bytes).toString('utf8') };
      } catch (thrown) {
        if (!(thrown instanceof SalonError) || thrown.code !== 'redirect_refused') throw thrown;
        return { status: thrown.status ?? 302, text: thrown.message };
      }
    },
    [Symbol.asyncDispose]: connection.close,
  };
}
