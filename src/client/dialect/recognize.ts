import { type Fields, isFields } from '../fields.ts';
import { type ResponseHeaders, readHeader } from '../headers.ts';
import type { PresetName } from './preset-names.ts';

interface ListResponse {
  readonly body: unknown;
  readonly headers: ResponseHeaders;
}

/** The kind of server that a list comes from. `unknown` is a list of no ready-made dialect; undefined is no list. */
export function recognizeList({ body, headers }: ListResponse): PresetName | 'unknown' | undefined {
  const known = signs.find(([, isIt]) => isFields(body) && isIt(body, headers));
  if (known !== undefined) return known[0];
  if (Array.isArray(body))
    return readHeader(headers, 'content-range') === undefined ? 'unknown' : 'postgrest';
  const lists = isFields(body) ? Object.values(body).filter(Array.isArray) : [];
  return lists.length === 1 ? 'unknown' : undefined;
}

/** What only responses of one kind have; the documentation of each is cited beside its ready-made dialect. */
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
  ['spring', (body) => isSpring(body)],
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
