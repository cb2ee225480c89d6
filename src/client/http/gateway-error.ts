import { readHeader } from '../headers.ts';
import { describeText, isHtml } from './decode.ts';
import { networkSignIn } from './proxy-error.ts';
import { quote } from './quote.ts';
import type { RawResponse } from './send.ts';

export interface GatewayError {
  readonly message: string;
  readonly hint: string;
}

const programs =
  /^(nginx|openresty|tengine|cloudflare|haproxy|apache|awselb|cloudfront|envoy|istio-envoy|varnish|caddy|traefik|litespeed|akamaighost|microsoft-azure-application-gateway|google frontend|kong|imperva|bigip|vercel|netlify|heroku)\b/i;

/**
 * Explains an error page that a gateway sent instead of the service: it is HTML, and the headers or the page name a
 * program that is one, or the status is one that only gateways send. Undefined for any other response.
 */
export function explainGatewayError(raw: RawResponse, text: string): GatewayError | undefined {
  const { status, headers } = raw;
  // RFC 6585: sent by what is between here and the service, so that somebody signs in to the network.
  if (status === 511) return { message: 'The network requires a sign-in first (511).', hint: networkSignIn };
  if (status < 400 || status === 404 || !(isHtml(text) || text.trim() === '')) return undefined;
  const program = programs.exec(readHeader(headers, 'server') ?? '')?.[0] ?? findProgram(text);
  const isOfGateway = status === 502 || status === 504 || (status >= 520 && status <= 530);
  if (program === undefined && !isOfGateway) return undefined;
  const name = program === undefined ? '' : ` (${quote(program, 40)})`;
  const realm = status === 401 ? /^\s*basic\b/i.exec(readHeader(headers, 'www-authenticate') ?? '') : null;
  const action = realm === null ? toAction(status) : 'requires a sign-in of its own';
  const page = text.trim() === '' ? '' : `, ${describeText(text)}`;
  return {
    message: `A gateway${name} in front of the service ${action} (${status}${page}).`,
    hint: toHint(status),
  };
}

/** The pages of nginx and its relatives name the program; those of HAProxy have a form of their own. */
function findProgram(text: string): string | undefined {
  const named = /<hr><center>([a-z]{1,30})/i.exec(text.slice(0, 20_000))?.[1];
  if (named !== undefined) return named;
  return /^<html><body><h1>\d{3} [^<]{1,60}<\/h1>\s/.test(text) ? 'HAProxy' : undefined;
}

function toAction(status: number): string {
  if (status === 405) return 'refused the method';
  if (status === 413) return 'refused the request, because it is too large';
  if (status === 414 || status === 431) return 'refused the request, because its headers are too long';
  if (status === 429) return 'limits the number of requests';
  if ([408, 504, 522, 524].includes(status)) return 'got no response from it in time';
  if (status === 502 || (status >= 520 && status <= 530)) return 'got no valid response from it';
  return status < 500 ? 'refused the request' : 'could not complete the request';
}

function toHint(status: number): string {
  if (status === 413) return 'Send less at once, or ask who operates it to allow larger requests.';
  if (status === 429) return 'Try again later, or send fewer requests at once.';
  if (status >= 500 || status === 408) return 'Try again in a moment.';
  return 'Ask who operates it to let this request through.';
}
