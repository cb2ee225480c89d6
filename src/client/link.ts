import { type AnswerHeaders, headerOf } from './headers.ts';

/** Targets of a `Link` header by relation; the first of each counts. */
export function parseLinks(headers: AnswerHeaders): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  // A header is limited by the connection, so that matching it stays cheap.
  for (const [, target = '', parameters = ''] of (headerOf(headers, 'link') ?? '').matchAll(linkValue)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
    for (const relation of (relations?.[1] ?? relations?.[2] ?? '').toLowerCase().split(/\s+/)) {
      if (relation !== '' && !links.has(relation)) links.set(relation, target);
    }
  }
  return links;
}

const linkValue = /<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]+))?)*)/g;
