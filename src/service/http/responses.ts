import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../contract/endpoint.ts';
import { prefixes } from '../../contract/endpoints.ts';
import type { LogPage } from '../domain/lists/list-page.ts';
import { toRecordTag } from '../domain/record-tag.ts';
import { matchesEntityTag } from './entity-tags.ts';

export const jsonMediaType = 'application/json; charset=utf-8';

/** Sends one record, with its tag and its address where it has them; 304 to whoever has it as it is. */
export function sendRecord(
  { request, reply, endpoint }: { request: FastifyRequest; reply: FastifyReply; endpoint: Endpoint },
  record: object,
): FastifyReply {
  const { method, path, success, isTagged } = endpoint;
  if (success.status === 201 && 'id' in record) {
    reply.header('location', `${prefixes[0]}${path}/${record.id}`);
  }
  if (isTagged && 'updated_at' in record) {
    const tag = toRecordTag({ updated_at: String(record.updated_at) });
    reply.header('etag', tag);
    if (method === 'GET' && matchesEntityTag(request.headers['if-none-match'], tag)) {
      return reply.code(304).send();
    }
  }
  return reply.header('content-type', jsonMediaType).send(JSON.stringify(record));
}

const opening = Buffer.from('{"data":');

/** A list as it is sent: the rows are bytes already and stay so. */
export function renderList({ dataJson, page, perPage, total }: LogPage): Buffer {
  const pagination = `,"pagination":{"page":${page},"per_page":${perPage},"total":${total}}}`;
  return Buffer.concat([opening, dataJson, Buffer.from(pagination)]);
}

/**
 * The `Link` header of a page: first, prev, next and last, each with the filters and the order of this one.
 * `next` also carries the cursor behind this page's last row, which decides over the page number.
 */
export function toLinkHeader(path: string, query: Readonly<Record<string, unknown>>, list: LogPage): string {
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
