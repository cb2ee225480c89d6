import { ExactNumber, isJsonNumber, parseJson } from './json.ts';

/*
 * Hides personal data in what support engineers share: traces and debug logs. Servers name their fields as they like, so
 * only what is certainly technical is shown: identifiers, times, states, counters, links, and the plain words of errors.
 */

const hidden = '…';

/** The last word of names whose values are technical. */
const technicalWords = new Set(
  `id ids uuid guid type kind status state code version page pages perpage skip skiptoken top size count total offset limit cursor after
  before at time start end from to since duration minutes seconds currency method amount role plan scope scopes
  permissions events sort order active enabled deleted href url uri link links next prev previous self more rel object
  retryable attempts tries field pointer parameter instance revision etag origin prefix`.split(/\s+/),
);
const personalWords = /birth|dob|geburt|nasc|phone|mobile|tel|mail|name|note|address|street/;
/** Members of errors that contain sentences. */
const sentenceNames = new Set('detail message title error error_description errors msg hint'.split(' '));

/** Splits `clientId`, `client_id` and `client-id` into words. */
function isTechnical(name: string): boolean {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return (
    technicalWords.has(words.filter((word) => word !== '').at(-1) ?? '') &&
    !personalWords.test(name.toLowerCase())
  );
}

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;
const plainToken = /^[\w.:;,+*/=?&%$~()[\]-]*$/;
const phone = /^\+|^0\d{5,}$/;

/** The body of a request or response with this content type. `isError` shows the plain words of its sentences. */
export function maskPersonalBody(
  text: string,
  { type, isError }: { readonly type: string; readonly isError: boolean },
): string {
  if (text.trim() === '') return text;
  if (/x-www-form-urlencoded/i.test(type)) return maskQuery(text);
  try {
    return JSON.stringify(maskValue(parseJson(text), '', isError));
  } catch {
    return isError ? maskPersonalSentence(text) : hidden;
  }
}

function maskValue(value: unknown, name: string, isError: boolean): unknown {
  if (typeof value === 'string') return maskText(value, name, isError);
  if (isJsonNumber(value)) return isTechnical(name) || /^-?[\d.]{1,6}$/.test(String(value)) ? value : hidden;
  if (Array.isArray(value)) return value.map((item) => maskValue(item, name, isError));
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [maskName(member), maskValue(inner, member, isError)]),
  );
}

/** Some servers use e-mail addresses or phone numbers as names of members. */
function maskName(name: string): string {
  return /.@|\s|^\+|\d{6}/.test(name) ? hidden : name;
}

function maskText(text: string, name: string, isError: boolean): string {
  if (text === '') return text;
  if (isTechnical(name)) {
    if (/[/?]/.test(text)) return maskPersonalUrl(text);
    // A name that was tried as an ID has no digit.
    const isName = /(?:^|_)id$|Id$/.test(name) && !/\d/.test(text);
    return plainToken.test(text) && !phone.test(text) && !isName ? text : hidden;
  }
  if (instant.test(text) && !personalWords.test(name.toLowerCase())) return text;
  return isError && sentenceNames.has(name) ? maskPersonalSentence(text) : hidden;
}

/** Words of servers' sentences that begin with a capital and are no names. */
const plainWords = new Set(
  `A An The This That These It Its Is Are Was No Not None If In On At For From To Of And Or But With Must Cannot Can
  Could Should Please Check Use Try Only All Each Every Some Any Unknown Invalid Missing Required Unauthorized Forbidden
  Bad Request Response Server Service Client Clients Appointment Appointments Stylist Stylists Payment Payments Webhook
  API HTTP HTTPS JSON URL UTC ID GET PUT POST PATCH DELETE Error Internal Gateway Timeout Unavailable Too Many Requests
  Found Method Allowed Conflict Precondition Failed Validation Value Field Parameter Key Token Bearer Basic Account
  Permission Scope Rate Limit Unprocessable Entity Content Large Media Type Unsupported`.split(/\s+/),
);
const email = /[^\s@"'<>(),;]{1,64}@[^\s@"'<>(),;]{1,255}/g;
let parts: RegExp | undefined;

/** Created on first use: character classes of all languages take a millisecond to load. */
function createParts(): RegExp {
  // The repetitions are bounded: without that, a long word would take quadratic time.
  return new RegExp(
    [
      String.raw`(?<kept>\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?|\b[a-z]{1,40}_\w{1,80})`,
      email.source,
      String.raw`-{2}\d\d-\d\d`,
      String.raw`\+?\d[\d ()./-]{4,40}\d`,
      String.raw`[\p{L}\p{M}'\u2019-]{0,60}[^\P{L}a-z][\p{L}\p{M}'\u2019-]{0,60}`,
    ].join('|'),
    'gu',
  );
}

/** Keeps the lower-case English words of a sentence, identifiers and times. */
export function maskPersonalSentence(text: string): string {
  parts ??= createParts();
  return text.replaceAll(parts, (part, kept?: string) =>
    kept !== undefined || plainWords.has(part) ? part : hidden,
  );
}

/** Our own sentence about a failure. It may quote an address. */
export function maskPersonalReason(text: string): string {
  return text.replaceAll(/\bhttps?:\/\/[^\s"']*[^\s"'.,:;]/g, maskPersonalUrl).replaceAll(email, hidden);
}

/** Words in paths that follow a collection and are no reference to a record. */
const pathWords = new Set(
  `cancel refunds merge unmerge test search query batch bulk list count me roll rotate-secret deliveries redeliver
  event-types api`.split(/\s+/),
);

/** A URL, absolute or relative. Of its path, segments that may name a person are hidden. */
export function maskPersonalUrl(url: string): string {
  const [, base = '', path = '', query] = /^([a-z]+:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  const segments = path.split('/');
  const shown = segments.map((segment, index) => (isShown(segment, segments[index - 1]) ? segment : hidden));
  return base + shown.join('/') + (query === undefined ? '' : `?${maskQuery(query)}`);
}

/** Collections as OData writes them, with a key. */
const collection =
  /^(?:Clients|Customers|Contacts|People|Users|Appointments|Bookings|Stylists|Employees|Staff|Payments|Services)(?:\([^)]*\d[^)]*\))?$/;

function isShown(segment: string, before = ''): boolean {
  if (segment === '' || pathWords.has(segment) || collection.test(segment)) return true;
  if (!/^[\w.:~$'()-]+$/.test(segment) || phone.test(segment)) return false;
  // A name that was tried as an ID follows a collection and has no digit.
  return /\d/.test(segment) || (!/s$/i.test(before) && !/[A-Z]/.test(segment));
}

/** Parameters as in a query or a form. */
function maskQuery(query: string): string {
  return query
    .split('&')
    .map((pair) => {
      const [name = '', value] = splitPair(pair);
      if (value === undefined) return pair === '' || isTechnical(decode(pair)) ? pair : hidden;
      return `${isShownToken(name) ? name : hidden}=${isTechnical(decode(name)) && isShownToken(value) ? value : hidden}`;
    })
    .join('&');
}

function splitPair(pair: string): readonly [string, string?] {
  const middle = pair.indexOf('=');
  return middle < 0 ? [pair] : [pair.slice(0, middle), pair.slice(middle + 1)];
}

function isShownToken(text: string): boolean {
  const plain = decode(text);
  return plainToken.test(plain) && !phone.test(plain);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const personalHeader = /(?:^|-)(?:user|client|customer|person|name|email|phone)(?:-|$)/i;

export function maskPersonalHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (personalHeader.test(name) && name.toLowerCase() !== 'user-agent') return [name, hidden];
      if (/^(?:content-)?location$/i.test(name)) return [name, maskPersonalUrl(value)];
      if (name.toLowerCase() === 'link')
        return [name, value.replaceAll(/<([^>]*)>/g, (_, url: string) => `<${maskPersonalUrl(url)}>`)];
      return [name, value.replaceAll(email, hidden)];
    }),
  );
}
