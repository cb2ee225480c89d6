import { crc32 } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../contract/endpoint.ts';
import { prefixes } from '../../contract/endpoints.ts';
import type { PageOfRecords } from '../domain/list-page.ts';
import { toEntityTag } from '../domain/records.ts';
import { toCaller } from './authentication.ts';

const jsonMediaType = 'application/json; charset=utf-8';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Sends a record with its `ETag` and, after a create, its `Location`; 304 if `If-None-Match` has the tag. */
export function sendRecord(
  { request, reply, endpoint }: Exchange & { readonly endpoint: Endpoint },
  record: object,
): FastifyReply {
  const { method, path, success, isTagged } = endpoint;
  if (success.status === 201 && 'id' in record) {
    reply.header('location', `${prefixes[0]}${path}/${record.id}`);
  }
  if (isTagged && 'updated_at' in record) {
    const tag = toEntityTag({ updated_at: String(record.updated_at) });
    reply.header('etag', tag);
    if (method === 'GET' && matchesEntityTag(request.headers['if-none-match'], tag)) {
      return reply.code(304).send();
    }
  }
  return reply.header('content-type', jsonMediaType).send(JSON.stringify(record));
}

/** Sends a page with its `Link` header and, for a versioned list, its version and `ETag`; 304 as for a record. */
export function sendList(
  { request, reply, path }: Exchange & { readonly path: string },
  list: PageOfRecords,
): FastifyReply {
  const query = request.query as Record<string, unknown>;
  const { account, stylistId } = toCaller(request);
  reply.header('link', toLinkHeader(path, query, list));
  if (list.version !== undefined) {
    // Differs by collection version, query, account and calendar.
    const page = crc32(JSON.stringify([account.id, stylistId, query]));
    const tag = `"${list.version}-${page.toString(16)}"`;
    reply.header('etag', tag).header('salon-collection-version', String(list.version));
    if (matchesEntityTag(request.headers['if-none-match'], tag)) return reply.code(304).send();
  }
  return reply.header('content-type', jsonMediaType).send(renderList(list));
}

/** The rows are JSON already and are not parsed again. */
function renderList({ dataJson, page, perPage, total }: PageOfRecords): Buffer {
  const closing = `,"pagination":{"page":${page},"per_page":${perPage},"total":${total}}}`;
  return Buffer.concat([Buffer.from('{"data":'), dataJson, Buffer.from(closing)]);
}

/**
 * The links first, prev, next and last, each with the filters and order of this page. `next` also has the cursor
 * after the page's last row, which takes precedence over the page number.
 */
function toLinkHeader(path: string, query: Readonly<Record<string, unknown>>, list: PageOfRecords): string {
  const { page, perPage, total, next } = list;
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const address = `<${prefixes[0]}${path}?${toFilterQuery(query)}`;
  const toLink = (target: number, rel: string, after = '') =>
    `${address}page=${target}&per_page=${perPage}${after}>; rel="${rel}"`;

  const links = [toLink(1, 'first')];
  if (page > 1) links.push(toLink(Math.min(page - 1, lastPage), 'prev'));
  if (next !== null) links.push(toLink(page + 1, 'next', `&after=${encodeURIComponent(next)}`));
  links.push(toLink(lastPage, 'last'));
  return links.join(', ');
}

function toFilterQuery(query: Readonly<Record<string, unknown>>): string {
  const { page, per_page, after, ...filters } = query;
  return Object.entries(filters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}&`)
    .join('');
}

/** Whether an `If-None-Match` header matches a tag (RFC 9110): a list of tags, weak or strong, or `*`. */
function matchesEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const candidates = header.split(',').map((part) => part.trim());
  return candidates.some((candidate) => candidate === '*' || toOwnTag(candidate) === tag);
}

const entityTag = /(W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * The tags of an `If-Match` header (RFC 9110), one of which the record must have; undefined for no header or `*`.
 * Our tags are all strong: a weak one, and one with a suffix, went through a proxy that compresses (nginx, Apache,
 * Caddy) and is accepted as the tag it was. What is not a tag is left out.
 */
export function parseIfMatch(header: string | undefined): readonly string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return (header.match(entityTag) ?? []).map(toOwnTag);
}

function toOwnTag(tag: string): string {
  return tag.replace(/^W\//, '').replace(/-(?:gzip|br|zstd|deflate)"$/, '"');
}
