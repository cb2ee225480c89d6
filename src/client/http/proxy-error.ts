import { SalonError } from '../../contract/errors.ts';
import { type ResponseHeaders, readHeader } from '../headers.ts';
import type { HttpProxy } from './proxy.ts';
import { quote } from './quote.ts';

interface ProxyResponse {
  readonly status: number;
  readonly message: string | undefined;
  readonly headers: ResponseHeaders;
}

const proxyPrograms = /^(squid|tinyproxy|privoxy|bluecoat|mcafee|zscaler|fortinet|forcepoint)/i;

/** Whether a forwarded request was answered by the proxy instead of the server, as far as the proxy says so. */
export function isOfProxy(status: number, headers: ResponseHeaders): boolean {
  if (status < 400) return false;
  if (status === 407 || readHeader(headers, 'x-squid-error') !== undefined) return true;
  const hasError = /;\s*error=/.test(readHeader(headers, 'proxy-status') ?? '');
  return hasError || proxyPrograms.test(readHeader(headers, 'server') ?? '');
}

/** The error for a proxy that did not pass a request or connection on to the target. */
export function createProxyError(response: ProxyResponse, proxy: HttpProxy, target: string): SalonError {
  const { status, message = '', headers } = response;
  const label = proxy.label.replace(/^the/, 'The');
  if (status === 407) return createPasswordError(label, proxy);
  const reason = readHeader(headers, 'x-squid-error') ?? readHeader(headers, 'proxy-status');
  const details = [`${status} ${message}`.trim(), reason].filter((part) => part !== undefined);
  const text = `${label} did not connect to ${target}: ${quote(details.join(', '), 200)}.`;
  if (status < 500) {
    return new SalonError('proxy_refused', text, {
      hint: 'Ask who runs the proxy to allow this host, or add it to NO_PROXY if it can be reached directly.',
    });
  }
  return new SalonError('connection_failed', text, {
    hint: 'Check the base URL. If it is right, ask who runs the proxy.',
    retryable: true,
  });
}

function createPasswordError(label: string, { authorization }: HttpProxy): SalonError {
  const problem =
    authorization === undefined ? 'requires a user name and password' : 'rejected the user name and password';
  return new SalonError('proxy_refused', `${label} ${problem} (407).`, {
    hint: 'Put them into the address of the proxy: http://user:password@host:port',
  });
}
