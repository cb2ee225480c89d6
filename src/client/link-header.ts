import { type ResponseHeaders, readHeader } from './response-headers.ts';

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
