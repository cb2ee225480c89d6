import { SalonError } from '../../contract/errors.ts';
import { type ResponseHeaders, readHeader } from '../headers.ts';
import type { HttpProxy } from './proxy.ts';
import { quote, toSubject } from './quote.ts';

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

/** The error for a proxy that did not open a connection. Nothing was sent to the target. */
export function createConnectError(response: ProxyResponse, proxy: HttpProxy, target: string): SalonError {
  // A success with a page is no connection, and a redirect leads to one.
  if (response.status < 400 || response.status === 511) {
    const problem = `sent a web page, probably for a sign-in, instead of connecting to ${target}`;
    return new SalonError('connection_failed', describe(response, proxy, problem), { hint: networkSignIn });
  }
  const refusal = findRefusal(response, proxy, `did not connect to ${target}`);
  if (refusal !== undefined) return refusal;
  return new SalonError('connection_failed', describe(response, proxy, `did not connect to ${target}`), {
    hint: unreachableHint,
    retryable: true,
  });
}

/** The error for a proxy that answered a forwarded request itself. It may have sent the request. */
export function createForwardError(response: ProxyResponse, proxy: HttpProxy, origin: string): SalonError {
  const problem = `failed to forward the request to ${origin}`;
  const refusal = findRefusal(response, proxy, problem);
  if (refusal !== undefined) return refusal;
  return new SalonError('service_unavailable', describe(response, proxy, problem), {
    status: response.status,
    hint: unreachableHint,
    retryable: true,
  });
}

export const networkSignIn =
  'Open any page in a browser and sign in to the network or the proxy, or ask who runs it. Then try again.';
const unreachableHint = 'Check the base URL. If it is right, ask who runs the proxy.';

function findRefusal(response: ProxyResponse, proxy: HttpProxy, problem: string): SalonError | undefined {
  const { authorization, label } = proxy;
  // Tinyproxy answers a wrong password with 401.
  if (response.status === 407 || response.status === 401) {
    const missing = authorization === undefined;
    const reason = missing ? 'requires a user name and password' : 'rejected the user name and password';
    return new SalonError('proxy_refused', `${toSubject(label)} ${reason} (${response.status}).`, {
      hint: 'Put them in front of the host of the proxy: user:password@host:port',
    });
  }
  if (response.status >= 500) return undefined;
  return new SalonError('proxy_refused', describe(response, proxy, problem), {
    hint: 'Ask who runs the proxy to allow this host, or add it to NO_PROXY if it can be reached directly.',
  });
}

function describe(
  { status, message = '', headers }: ProxyResponse,
  { label }: HttpProxy,
  problem: string,
): string {
  const reason = readHeader(headers, 'x-squid-error') ?? readHeader(headers, 'proxy-status');
  const details = [`${status} ${message}`.trim(), reason].filter((part) => part !== undefined);
  return `${toSubject(label)} ${problem}: ${quote(details.join(', '), 200)}.`;
}
