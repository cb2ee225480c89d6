import { isSecretHeader, type Mask } from '../text/mask-secrets.ts';

/** Response headers: names in lower case, an array where a header was sent several times. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The value of a header. Several values are joined with commas. */
export function readHeader(headers: ResponseHeaders, name: string): string | undefined {
  if (!Object.hasOwn(headers, name)) return undefined;
  const value = headers[name];
  return typeof value === 'object' ? value.join(', ') : value;
}

/** The version of a list's collection; undefined from a server without versions. */
export function readVersion(headers: ResponseHeaders): number | undefined {
  const text = readHeader(headers, 'salon-collection-version');
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

const requestIdHeaders = [
  ...['x-request-id', 'request-id', 'x-requestid', 'x-correlation-id', 'correlation-id'],
  ...['x-amzn-requestid', 'x-amzn-request-id', 'x-amz-request-id', 'x-ms-request-id'],
  ...['x-trace-id', 'x-b3-traceid', 'x-amzn-trace-id', 'x-cloud-trace-context', 'cf-ray'],
  ...['fly-request-id', 'x-vercel-id', 'traceparent'],
];

/** The ID of a request in the operator's logs, from whichever header has it. */
export function readRequestId(headers: ResponseHeaders): string | undefined {
  const values = requestIdHeaders.map((name) => readHeader(headers, name));
  return values.find((value) => value !== undefined && value.trim() !== '');
}

/** The headers with their secrets masked: of a secret header only a scheme such as `Bearer` is shown. */
export function maskHeaders(headers: ResponseHeaders, mask: Mask): Record<string, string> {
  return Object.fromEntries(
    Object.keys(headers).map((name) => {
      const value = readHeader(headers, name) ?? '';
      if (!isSecretHeader(name)) return [name, mask(value)];
      return [name, `${/^(?:bearer|basic|digest|negotiate) /i.exec(value)?.[0] ?? ''}…`];
    }),
  );
}

/** Targets of a `Link` header by relation. The first of each relation counts. */
export function parseLinks(headers: ResponseHeaders): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  // The connection limits the size of headers, so matching is cheap.
  for (const [, target = '', parameters = ''] of (readHeader(headers, 'link') ?? '').matchAll(linkValue)) {
    for (const relation of parseRelations(parameters)) {
      if (!links.has(relation)) links.set(relation, target);
    }
  }
  return links;
}

const linkValue = /<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]+))?)*)/g;
const parameter = /;\s*([^\s=;,]+)(?:\s*=\s*("[^"]*"|[^\s;,"]+))?/g;

function parseRelations(parameters: string): string[] {
  for (const [, name, value = ''] of parameters.matchAll(parameter)) {
    if (name?.toLowerCase() === 'rel')
      return value.replaceAll('"', '').toLowerCase().split(/\s+/).filter(Boolean);
  }
  return [];
}
