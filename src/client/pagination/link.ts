import { headerOf, type ResponseHeaders } from '../http/headers.ts';

/** Targets of a `Link` header by relation; the first of each counts. */
export function parseLinks(headers: ResponseHeaders): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  // A header is limited by the connection, so that matching it stays cheap.
  for (const [, target = '', parameters = ''] of (headerOf(headers, 'link') ?? '').matchAll(linkValue)) {
    for (const relation of relationsIn(parameters)) {
      if (!links.has(relation)) links.set(relation, target);
    }
  }
  return links;
}

const linkValue = /<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]+))?)*)/g;
const parameter = /;\s*([^\s=;,]+)(?:\s*=\s*("[^"]*"|[^\s;,"]+))?/g;

function relationsIn(parameters: string): string[] {
  const values = [...parameters.matchAll(parameter)].filter(([, name]) => name?.toLowerCase() === 'rel');
  const relations = values[0]?.[2]?.replaceAll('"', '').toLowerCase() ?? '';
  return relations.split(/\s+/).filter((relation) => relation !== '');
}
