import { ExactNumber } from './json.ts';

/** Replaces what must stay secret in a text by `…`. Idempotent. */
export type Mask = (text: string) => string;

/** Servers often repeat only the start of a key. The start of a shorter secret could be an ordinary word. */
const prefixLength = 8;
const minLengthWithPrefix = 16;
/** Shorter secrets would match ordinary words. */
const minLength = 6;

/** Hides the given secrets, also where only their start is shown, and everything that looks like a secret. */
export function createMask(secrets: Iterable<string>): Mask {
  const known = [...new Set([...secrets].flatMap((secret) => [secret, encodeURIComponent(secret)]))]
    .filter((secret) => secret.length >= minLength)
    .sort((a, b) => b.length - a.length);
  return (text) => known.reduce(maskOne, maskSecrets(text));
}

function maskOne(text: string, secret: string): string {
  const start = secret.length < minLengthWithPrefix ? secret : secret.slice(0, prefixLength);
  const pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, from)) {
    let end = start.length;
    while (end < secret.length && text[at + end] === secret[end]) end += 1;
    pieces.push(text.slice(from, at), '…');
    from = at + end;
  }
  return from === 0 ? text : pieces.join('') + text.slice(from);
}

const secretNames =
  '(?:x-)?api[-_]?key|(?:access|refresh|id|auth|session|csrf|x-auth|x-access)[-_]?token|client[-_]secret|password|passwd';
/** A value that has a digit or is long, unlike the words of a sentence: “Bearer authentication” stays. */
const tokenAhead = String.raw`(?=[^\s"',;&\u2026]*\d|[^\s"',;&\u2026]{20})`;

const patterns = [
  // Our own keys, tokens and webhook secrets.
  /\b(slk_(?:test_)?)[A-Za-z0-9]{6,}/g,
  /\b(sl[trs]_)[A-Za-z0-9_-]{6,}/g,
  /\b(whsec_)[A-Za-z0-9+/_=-]{6,}/g,
  // JSON Web Tokens.
  /\b(eyJ)[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,4}/g,
  // User and password in a URL.
  /([a-z][a-z0-9+.-]{0,20}:\/\/)[^/?#\s"'<>@]{1,512}(?=@)/gi,
  // Parameters of a query.
  new RegExp(
    `([?&](?:${secretNames}|key|token|secret|sig|signature|auth|authorization)=)[^&#\\s"'<>]+`,
    'gi',
  ),
  // Headers and members, as servers repeat them in a text. Cookies continue to the end of the line.
  /\b((?:set-)?cookie["']?\s*[:=]\s*["']?)[^\s"'\u2026][^\r\n"']*/gi,
  new RegExp(
    String.raw`\b((?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|digest|token|apikey)\s+)?)${tokenAhead}[^\s"',;]+`,
    'gi',
  ),
  new RegExp(String.raw`\b((?:${secretNames})["']?\s*[:=]\s*(?:["']|${tokenAhead}))[^\s"',;&\u2026]+`, 'gi'),
  new RegExp(String.raw`\b((?:bearer|basic)\s+)${tokenAhead}[A-Za-z0-9._~+/=-]{8,}`, 'gi'),
];

/** Hides everything that looks like a key, a token or a password. */
export const maskSecrets: Mask = (text) =>
  patterns.reduce((masked, pattern) => masked.replace(pattern, '$1…'), text);

const secretHeader =
  /^(?:authorization|proxy-authorization|cookie|set-cookie)$|api[-_]?key|token|secret|password|signature/i;

/** Whether a header carries a secret, by its name. */
export function isSecretHeader(name: string): boolean {
  return secretHeader.test(name);
}

/** The values of secret headers, without a scheme such as `Bearer`. */
export function readSecrets(headers: Readonly<Record<string, string>>): string[] {
  const secret = Object.keys(headers).filter(isSecretHeader);
  return secret.map((name) => (headers[name] ?? '').replace(/^(?:bearer|basic|token|apikey)\s+/i, ''));
}

/** Applies a mask to every text in a JSON value. */
export function maskValue(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskValue(item, mask));
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, maskValue(item, mask)]));
}

/** Shows enough of a key to tell two keys apart. */
export function abbreviateKey(key: string): string {
  return key.length > 12 ? `${key.slice(0, 6)}…${key.slice(-2)}` : '…';
}
