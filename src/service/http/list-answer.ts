import { prefixes } from '../../contract/endpoints.ts';
import type { PageOfRecords } from '../domain/list-page.ts';

const opening = Buffer.from('{"data":');

/** A list as it is sent: the rows are bytes already and stay so. */
export function renderList({ dataJson, page, perPage, total }: PageOfRecords): Buffer {
  const pagination = `,"pagination":{"page":${page},"per_page":${perPage},"total":${total}}}`;
  return Buffer.concat([opening, dataJson, Buffer.from(pagination)]);
}

/**
 * The `Link` header of a page: first, prev, next and last, each with the filters and the order of this one.
 * `next` also carries the cursor behind this page's last row, which decides over the page number.
 */
export function toLinkHeader(
  path: string,
  query: Readonly<Record<string, unknown>>,
  list: PageOfRecords,
): string {
  const { page, perPage, total, next } = list;
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const address = `<${prefixes[0]}${path}?${toKeptQuery(query)}`;
  const toLink = (target: number, rel: string, after = '') =>
    `${address}page=${target}&per_page=${perPage}${after}>; rel="${rel}"`;

  const links = [toLink(1, 'first')];
  if (page > 1) {
    links.push(toLink(Math.min(page - 1, lastPage), 'prev'));
  }
  if (next !== null) {
    links.push(toLink(page + 1, 'next', `&after=${encodeURIComponent(next)}`));
  }
  links.push(toLink(lastPage, 'last'));
  return links.join(', ');
}

function toKeptQuery(query: Readonly<Record<string, unknown>>): string {
  let kept = '';
  for (const [name, value] of Object.entries(query)) {
    if (name !== 'page' && name !== 'per_page' && name !== 'after') {
      kept += `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}&`;
    }
  }
  return kept;
}
