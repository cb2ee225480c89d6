import type { PresetName } from '../dialect/presets.ts';
import { type Fields, isFields } from '../json-object.ts';
import { type ResponseHeaders, readHeader } from '../response-headers.ts';

/** The ready-made dialect that a list shows; undefined if it shows none. */
export function recognisePreset({
  body,
  headers,
}: {
  readonly body: unknown;
  readonly headers: ResponseHeaders;
}): PresetName | undefined {
  if (Array.isArray(body)) {
    const [first] = body;
    if (isFields(first) && 'firstName' in first && 'ldapDn' in first) return 'easyappointments';
    return readHeader(headers, 'content-range') === undefined ? undefined : 'postgrest';
  }
  return signs.find(([, isIt]) => isFields(body) && isIt(body, headers))?.[0];
}

/** What only responses of one kind have; docs/other-servers.md links to the documentation of each. */
const signs: readonly (readonly [PresetName, (body: Fields, headers: ResponseHeaders) => boolean])[] = [
  ['stripe', (body) => body['object'] === 'list' && typeof body['has_more'] === 'boolean'],
  ['square', (body) => Array.isArray(body['customers']) && !('total' in body) && !('pagination' in body)],
  [
    'odata',
    (body) => Array.isArray(body['value']) && Object.keys(body).some((name) => name.startsWith('@odata.')),
  ],
  [
    'jsonapi',
    (body, headers) =>
      Array.isArray(body['data']) &&
      (/vnd\.api\+json/.test(readHeader(headers, 'content-type') ?? '') || isFields(body['jsonapi'])),
  ],
  ['spring', isSpring],
  [
    'django',
    (body) => Array.isArray(body['results']) && 'count' in body && 'next' in body && 'previous' in body,
  ],
  [
    'laravel',
    (body) => Array.isArray(body['data']) && 'current_page' in (isFields(body['meta']) ? body['meta'] : body),
  ],
];

/** `Page` and `PagedModel` of Spring Data, and Spring HATEOAS. */
function isSpring(body: Fields): boolean {
  const page = isFields(body['page']) ? body['page'] : body;
  const hasRows = Array.isArray(body['content']) || isFields(body['_embedded']) || isFields(body['_links']);
  return hasRows && 'totalPages' in page && 'number' in page;
}
