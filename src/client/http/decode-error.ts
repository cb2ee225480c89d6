import { isProblemCode, problems, SalonError, type SalonErrorCode } from '../../contract/errors.ts';
import { parseJson } from '../../text/json.ts';
import { quote } from '../../text/quote.ts';
import { type Fields, isFields } from '../json-object.ts';
import { isLimited, parseRateLimit, parseRetryAfter, renderWait } from '../rate-limit/rate-limit-headers.ts';
import { type ResponseHeaders, readHeader, readRequestId } from '../response-headers.ts';
import { describeText, isHtml } from './decode.ts';
import { readErrorReason } from './error-reason.ts';
import { networkSignIn } from './proxy.ts';
import { type StatusMeaning, toStatusMeaning } from './retry.ts';
import type { RawResponse } from './send.ts';

/** Converts an error response, in any of the shapes servers use, to the contract's error. Never throws. */
export function decodeError(raw: RawResponse, nowMs: number): SalonError {
  const text = new TextDecoder().decode(raw.bytes);
  const body = parseObject(text);
  const reason = body === undefined ? undefined : readErrorReason(body);
  const challenge = [401, 403].includes(raw.status) ? readChallenge(raw.headers) : undefined;
  const gateway = body === undefined ? explainGatewayError(raw, text) : undefined;
  const members = toExtraMembers(body, challenge);
  const requestId = reason?.requestId ?? readRequestId(raw.headers);
  const code = isLimited(raw) ? 'rate_limited' : toCode(raw.status, reason?.code, challenge);
  const message = gateway?.message ?? reason?.message ?? toPlainMessage(text, raw.status, code);
  const retryAfterMs = toRetryAfter(raw, nowMs);
  const later = raw.status === 503 && retryAfterMs ? `Try again in ${renderWait(retryAfterMs)}.` : undefined;
  return new SalonError(code, withDescription(message, challenge), {
    status: raw.status,
    hint: later ?? gateway?.hint ?? reason?.hint ?? toHint(),
    requestId: requestId === undefined ? undefined : quote(requestId, 100),
    retryable: classifyResponse(raw).isTemporary,
    retryAfterMs,
    violations: reason?.violations,
    members,
  });

  /** What to do, where the sentence of the catalogue would not be true; undefined where it is. */
  function toHint(): string | undefined {
    const allowed = members['allowed_statuses'];
    switch (code) {
      case 'invalid_status_transition':
        return Array.isArray(allowed) && allowed.length === 0 ? 'This status is final.' : undefined;
      case 'insufficient_scope':
      case 'permission_denied':
      case 'invalid_token':
        return typeof members['scope'] === 'string'
          ? `Use a key with the scope ${quote(members['scope'], 200)}.`
          : undefined;
      case 'not_found':
        if (typeof members['merged_into'] === 'string') return 'Use the ID of that client.';
        return isHtml(text) ? 'Check the base URL: the server has no API at this path.' : undefined;
      case 'method_not_allowed': {
        const methods = readHeader(raw.headers, 'allow');
        return methods ? `Allowed: ${quote(methods, 100)}.` : 'Check the base URL and the path.';
      }
      case 'payload_too_large':
        return isProblemCode(reason?.code ?? '') ? undefined : 'Send less at once.';
      case 'internal_error':
        return requestId === undefined
          ? 'Try again. If it keeps failing, contact the operator of the service.'
          : undefined;
      default:
        return undefined;
    }
  }
}

function toCode(status: number, given: string | undefined, challenge: Challenge | undefined): SalonErrorCode {
  if (given !== undefined && isProblemCode(given) && status >= 400) return given;
  if (status === 403 && challenge?.error === 'insufficient_scope') return 'insufficient_scope';
  return codeOfStatus(status);
}

/** The message, followed by the reason in `WWW-Authenticate` where it adds to it. */
function withDescription(message: string, challenge: Challenge | undefined): string {
  const description = challenge?.description;
  if (description === undefined || message.includes(description)) return message;
  return `${message.replace(/\.?$/, '.')} ${description}`;
}

/** The contract's error code in a response, if any. It tells our own 404 from that of a proxy or another server. */
export function problemCodeOf(raw: RawResponse): string | undefined {
  const body = parseObject(new TextDecoder().decode(raw.bytes));
  const code = body?.['code'];
  return typeof code === 'string' && isProblemCode(code) ? code : undefined;
}

/** What a response says about its request. */
export function classifyResponse(raw: RawResponse): StatusMeaning {
  const isProblem = raw.status >= 300 && /problem\+json/i.test(readHeader(raw.headers, 'content-type') ?? '');
  const status = isLimited(raw) ? 429 : raw.status;
  return toStatusMeaning(status, isProblem ? problemCodeOf(raw) : undefined);
}

function parseObject(text: string): Fields | undefined {
  try {
    const value = parseJson(text);
    // Some servers send a bare array of errors.
    return Array.isArray(value) ? { errors: value } : isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const exactCodes: Readonly<Record<number, SalonErrorCode>> = {
  401: 'invalid_token',
  403: 'permission_denied',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'timeout',
  409: 'conflict',
  412: 'precondition_failed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'validation_failed',
  425: 'service_unavailable',
  429: 'rate_limited',
  503: 'service_unavailable',
  511: 'connection_failed',
};

function codeOfStatus(status: number): SalonErrorCode {
  if (status >= 400 && status < 500) return exactCodes[status] ?? 'refused';
  // The body says that the request failed.
  if (status >= 200 && status < 300) return 'refused';
  return status >= 500 && status < 600 ? (exactCodes[status] ?? 'internal_error') : 'unexpected_response';
}

function toPlainMessage(text: string, status: number, code: SalonErrorCode): string {
  const body = text.trim() === '' ? '' : ` and ${describeText(text)}`;
  if (!isProblemCode(code)) return `The server responded with ${status}${body}.`;
  const { title } = problems[code];
  return body === '' ? `${title}.` : `${title}: the server responded with ${status}${body}.`;
}

/** When to retry: `Retry-After`, otherwise the end of a rate limit window that is used up. */
function toRetryAfter(raw: RawResponse, nowMs: number): number | undefined {
  const waitMs = parseRetryAfter(raw.headers, nowMs);
  if (waitMs !== undefined || raw.status !== 429) return waitMs;
  const limit = parseRateLimit(raw.headers, nowMs);
  if (limit?.resetAtMs === undefined || (limit.remaining ?? 0) > 0) return undefined;
  return Math.max(0, limit.resetAtMs - nowMs);
}

const standardMembers = ['type', 'title', 'status', 'detail', 'code', 'request_id', 'errors'];

/** Extra members of a problem, such as `required_role`, and the scope of a challenge. */
function toExtraMembers(body: Fields | undefined, challenge: Challenge | undefined): Fields {
  const scope = challenge?.scope === undefined ? {} : { scope: challenge.scope };
  if (typeof body?.['code'] !== 'string' || !isProblemCode(body['code'])) return scope;
  const others = Object.entries(body).filter(([name]) => !standardMembers.includes(name));
  return { ...scope, ...Object.fromEntries(others) };
}

/** What `WWW-Authenticate` says beside the scheme (RFC 6750, section 3). */
interface Challenge {
  readonly error: string | undefined;
  readonly description: string | undefined;
  readonly scope: string | undefined;
}

const parameter = /([a-z_-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi;

function readChallenge(headers: ResponseHeaders): Challenge {
  const value = (readHeader(headers, 'www-authenticate') ?? '').slice(0, 4096);
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of value.matchAll(parameter)) {
    const text = quote(quoted?.replace(/\\(.)/g, '$1') ?? plain, 300);
    if (text !== '') parameters.set(name.toLowerCase(), text);
  }
  return {
    error: parameters.get('error'),
    description: parameters.get('error_description'),
    scope: parameters.get('scope'),
  };
}

const programs =
  /^(nginx|openresty|tengine|cloudflare|haproxy|apache|awselb|cloudfront|envoy|istio-envoy|varnish|caddy|traefik|litespeed|akamaighost|microsoft-azure-application-gateway|google frontend|kong|imperva|bigip|vercel|netlify|heroku)\b/i;

/**
 * Explains an error page that a gateway sent instead of the service: it is HTML, and the headers or the page name a
 * program that is one, or the status is one that only gateways send. Undefined for any other response.
 */
function explainGatewayError(raw: RawResponse, text: string) {
  const { status, headers } = raw;
  const kind = isLimited(raw) ? 429 : status;
  // RFC 6585: sent by what is between here and the service, so that a person signs in to the network.
  if (status === 511) return { message: 'The network requires a sign-in first (511).', hint: networkSignIn };
  if (status < 400 || status === 404 || !(isHtml(text) || text.trim() === '')) return undefined;
  const program = programs.exec(readHeader(headers, 'server') ?? '')?.[0] ?? findProgram(text);
  const isOfGateway = status === 502 || status === 504 || (status >= 520 && status <= 530);
  if (program === undefined && !isOfGateway) return undefined;
  const name = program === undefined ? '' : ` (${quote(program, 40)})`;
  const realm = status === 401 ? /^\s*basic\b/i.exec(readHeader(headers, 'www-authenticate') ?? '') : null;
  const action = realm === null ? toAction(kind) : 'requires a sign-in of its own';
  const page = text.trim() === '' ? '' : `, ${describeText(text)}`;
  return {
    message: `A gateway${name} in front of the service ${action} (${status}${page}).`,
    hint: toGatewayHint(kind),
  };
}

/** The pages of nginx and its relatives name the program; those of HAProxy have another form. */
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

function toGatewayHint(status: number): string {
  if (status === 413) return 'Send less at once, or ask who operates it to allow larger requests.';
  if (status === 429) return 'Try again later, or send fewer requests at once.';
  if (status >= 500 || status === 408) return 'Try again in a moment.';
  return 'Ask who operates it to let this request through.';
}
