import { createDialectDetector } from '../dialect/dialect.ts';
import type { Fields } from '../fields.ts';
import type { QueryValues } from '../http/request-path.ts';
import type { ApiContext } from '../pagination/page-requests.ts';
import type { PagedList } from '../pagination/paginate.ts';
import { createList } from './list.ts';

export interface AnyListOptions {
  readonly query?: QueryValues | undefined;
  readonly limit?: number | undefined;
}

/** Reads all pages of the list at any path, with the rows as the server sends them. */
export type ReadAnyList = (path: string, options?: AnyListOptions) => PagedList<Fields>;

/** The pagination is that of the server's other lists as far as it is known; what this list shows is not kept. */
export function createAnyList(context: ApiContext): ReadAnyList {
  return (address, { query = {}, limit } = {}) => {
    const [path = '', search = ''] = address.split('?', 2);
    const known = { ...context.dialect.known(), resources: {}, listPath: '/{resource}', fieldsKey: null };
    const noun = path.split('/').findLast((segment) => segment !== '') ?? 'rows';
    const list = { method: 'GET', path: `/${path.replace(/^\//, '')}`, isDocumented: true } as const;
    const parameters = { ...Object.fromEntries(new URLSearchParams(search)), ...toTexts(query) };
    const api: ApiContext['api'] = {
      ...context.api,
      endpoint: (_list, options) => context.api.path('GET', path, options),
    };
    const dialect = createDialectDetector(known, () => {});
    const resource = { plural: noun, list: { ...list, summary: '', action: null, success: { status: 200 } } };
    return createList<Fields>(resource, { ...context, api, dialect })({}, { limit, parameters });
  };
}

function toTexts(query: QueryValues): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
