import { SalonError } from '../../contract/errors.ts';
import { type ResponseHeaders, readHeader } from '../response-headers.ts';

export interface RateLimit {
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  /** When the window ends, in milliseconds since 1970. */
  readonly resetAtMs: number | undefined;
  readonly windowMs: number | undefined;
}

/** Parses the rate limit headers of all generations; undefined if there are none. */
export function parseRateLimit(headers: ResponseHeaders, nowMs: number): RateLimit | undefined {
  return (
    parseStructured(headers, nowMs) ??
    parseSeparate(headers, 'ratelimit', nowMs) ??
    parseSeparate(headers, 'x-ratelimit', nowMs) ??
    parseSeparate(headers, 'x-rate-limit', nowMs)
  );
}

/**
 * A server may ask for a wait of any length, which all processes of the account then keep to. After a day it is asked
 * again.
 */
export const maxPauseMs = 86_400_000;

/** Parses `Retry-After`, in seconds or as a date, to milliseconds from now, at most a day. */
export function parseRetryAfter(headers: ResponseHeaders, nowMs: number): number | undefined {
  const value = readHeader(headers, 'retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Number(value) * 1000, maxPauseMs);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - nowMs), maxPauseMs);
}

/** Whether a response says that the same request is allowed later: a 403 with `Retry-After`, too. */
export function isLimited({ status, headers }: { status: number; headers: ResponseHeaders }): boolean {
  return status === 429 || (status === 403 && parseRetryAfter(headers, 0) !== undefined);
}

/** `RateLimit: "hourly";r=10;t=60` beside `RateLimit-Policy`, and the older `limit=100, remaining=10, reset=60`. */
function parseStructured(headers: ResponseHeaders, nowMs: number): RateLimit | undefined {
  const value = readHeader(headers, 'ratelimit');
  if (value === undefined) return undefined;
  const states = parseItems(value);
  // Of several policies, the one with the fewest remaining requests applies.
  const state = states
    .filter((item) => item['r'] !== undefined)
    .sort((a, b) => Number(a['r']) - Number(b['r']))[0];
  if (state === undefined) {
    const old = (key: string) => states.find((item) => item[key] !== undefined)?.[key];
    return toRateLimit({ limit: old('limit'), remaining: old('remaining'), reset: old('reset') }, nowMs);
  }
  const policies = parseItems(readHeader(headers, 'ratelimit-policy') ?? '');
  const policy = policies.find((item) => item['name'] === state['name']) ?? policies[0];
  return toRateLimit(
    { limit: policy?.['q'], window: policy?.['w'], remaining: state['r'], reset: state['t'] },
    nowMs,
  );
}

function parseSeparate(headers: ResponseHeaders, family: string, nowMs: number): RateLimit | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((part) =>
    readHeader(headers, `${family}-${part}`),
  );
  const window = /;\s*w=(\d+)/.exec(limit ?? '')?.[1];
  return toRateLimit({ limit, window, remaining, reset }, nowMs);
}

/** Items of a structured field, each with a name and parameters. Quoted names may contain commas. */
function parseItems(value: string): Readonly<Record<string, string | undefined>>[] {
  const items = value.slice(0, 4096).match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? [];
  return items.map((item) => {
    const [name = '', ...rest] = item.split(';');
    const parameters: Record<string, string> = {};
    for (const part of name.includes('=') ? [name, ...rest] : rest) {
      const [key = '', text = ''] = part.trim().split('=');
      parameters[key.toLowerCase()] = text;
    }
    return { ...parameters, name: name.trim() };
  });
}

type LimitTexts = { readonly [Part in 'limit' | 'remaining' | 'reset' | 'window']?: string | undefined };

function toRateLimit(texts: LimitTexts, nowMs: number): RateLimit | undefined {
  const limit = toCount(texts.limit);
  const remaining = toCount(texts.remaining);
  if (limit === undefined && remaining === undefined) return undefined;
  const windowSeconds = toCount(texts.window);
  const windowMs = windowSeconds === undefined ? undefined : windowSeconds * 1000;
  return { limit, remaining, resetAtMs: toInstant(texts.reset, nowMs), windowMs };
}

function toCount(text: string | undefined): number | undefined {
  const digits = /^\s*(\d{1,15})(?:\s*[,;.]|\s*$)/.exec(text ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

// No window lasts thirty years, so larger numbers count from 1970, in seconds or milliseconds.
const smallestUnixTime = 1_000_000_000;

function toInstant(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const value = toCount(text);
  if (value === undefined) {
    const date = Date.parse(text);
    return Number.isNaN(date) ? undefined : date;
  }
  if (value >= smallestUnixTime * 1000) return value;
  return value >= smallestUnixTime ? value * 1000 : nowMs + value * 1000;
}

/** The error for a rate limit that lasts longer than the client may wait. `refusal` is the 429 response, if any. */
export function limitReached(waitMs: number, nowMs: number, refusal?: SalonError): SalonError {
  const message = (refusal?.message ?? 'Rate limit reached').replace(/(?<![.!?])$/, '.');
  const until = new Date(nowMs + waitMs).toISOString().slice(11, 19);
  return new SalonError('rate_limited', `${message} Try again in ${renderWait(waitMs)}, at ${until} UTC.`, {
    status: refusal?.status,
    hint: 'Try again then, or allow a longer wait.',
    requestId: refusal?.requestId,
    retryable: true,
    retryAfterMs: waitMs,
    members: refusal?.members,
    cause: refusal,
  });
}

/** Renders a wait: `40 s`, `23 min`, `2 h 5 min`. */
export function renderWait(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`;
}
