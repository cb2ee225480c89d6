import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../contract/endpoint.ts';
import { prefixes } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import {
  cursorsPreference,
  type ListMark,
  linesMediaType,
  streamedRowsPerRequest,
} from '../../contract/schemas.ts';
import type { PageOfRecords } from '../domain/list-page.ts';
import type { ListBatch, ListStream } from '../domain/list-stream.ts';
import type { AccountLimiter } from '../domain/rate-limit.ts';
import { toEntityTag } from '../domain/records.ts';
import type { Credentials } from '../identity/credentials.ts';
import { toCaller, toRateLimitHeaders } from './authentication.ts';
import type { Budget } from './connections.ts';

export const jsonMediaType = 'application/json; charset=utf-8';

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

/** Whether a request asks for a whole list as lines rather than for a page. */
export function wantsLines({ method, headers }: FastifyRequest): boolean {
  const accept = headers.accept ?? '';
  if (method !== 'GET' || !accept.includes(linesMediaType)) return false;
  const quality = readQuality(accept, linesMediaType);
  return quality > 0 && quality >= readQuality(accept, 'application/json');
}

/** The weight of a media type that an `Accept` header names; 0 if it does not. */
function readQuality(accept: string, mediaType: string): number {
  for (const part of accept.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    if (name !== mediaType) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0;
  }
  return 0;
}

/** Streams at a time. */
export const streamLimits = { maxPerOwner: 2, maxTotal: 12 };

/** What counts requests: against the limit, and by key. */
interface Counters {
  readonly limiter: AccountLimiter;
  readonly credentials: Credentials;
}

export interface StreamOptions extends Counters {
  /** Streams under way, so that those who read slowly do not hold all snapshots of the database. */
  readonly slots: Budget;
  /** How long a client may read nothing. */
  readonly stallMs: number;
}

/** The version and total are those of a list. Without them, a cursor follows each batch. */
type LineStream = Pick<ListStream, 'batches'> & Partial<ListStream>;

interface StreamRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  open(): Promise<LineStream>;
  /** Called before each batch is sent; an error ends the response. */
  onBatch(batch: ListBatch): Promise<void>;
}

/**
 * Sends a whole list, or all changes, a record a line. A list costs a request for every 1,000 records. Ends the connection when the client
 * takes nothing for a while, or when the list cannot be read on: a response without its last chunk is not whole.
 */
export async function sendStream(
  { request, reply, open, onBatch }: StreamRequest,
  { slots, stallMs, ...counters }: StreamOptions,
): Promise<FastifyReply> {
  const { account } = toCaller(request);
  await using stack = new AsyncDisposableStack();
  if (!slots.take(account.id, 1)) {
    const detail = 'Too many lists are being read in one response. An account may read two at a time.';
    throw new SalonError('service_unavailable', detail, { retryAfterMs: 1_000 });
  }
  stack.defer(() => slots.give(account.id, 1));
  const stream = await open();
  stack.defer(() => stream[Symbol.asyncDispose]?.());
  const { version, total } = stream;
  let rows = 0;
  const charged = toExtraCost(total ?? 0, account);
  if (charged > 0) {
    const refund = await chargeRequests({ request, reply }, { what: 'list', extra: charged }, counters);
    stack.defer(() => refund(charged - toExtraCost(rows, account)));
  }
  const hasCursors = version === undefined || prefersCursors(request);
  const opened = stack.move();
  const end = () =>
    opened.disposeAsync().catch((err: unknown) => request.log.error({ err }, 'stream not closed'));
  if (reply.raw.destroyed) void end();
  else reply.raw.once('close', end);
  let isReading = false;
  watchStall(request, reply, { stallMs, isReading: () => isReading });
  return reply
    .header('content-type', `${linesMediaType}; charset=utf-8`)
    .headers(version === undefined ? {} : { 'salon-collection-version': version, 'salon-total': total })
    .headers(hasCursors ? { 'preference-applied': cursorsPreference } : {})
    .send(Readable.from(toChunks(), { objectMode: false }));

  async function* toChunks(): AsyncGenerator<Buffer | string, void> {
    isReading = true;
    for await (const batch of stream.batches()) {
      await onBatch(batch);
      rows += batch.count;
      isReading = false;
      if (batch.count > 0) yield batch.lines;
      if (hasCursors && batch.next !== null) yield toLine({ cursor: batch.next });
      isReading = true;
    }
    isReading = false;
    if (hasCursors) yield toLine({ end: true, rows });
  }
}

/**
 * Counts the requests that a request costs in addition to itself. Returns what gives back those that were not used.
 * Throws `rate_limited`.
 */
export async function chargeRequests(
  { request, reply }: Exchange,
  { what, extra }: { what: 'list' | 'batch'; extra: number },
  { limiter, credentials }: Counters,
): Promise<(unused: number) => void> {
  const caller = toCaller(request);
  const { account } = caller;
  const status = await limiter.charge(account, extra);
  if (!status.allowed) {
    const cost = `The ${what} costs ${extra + 1} requests`;
    const message = `${cost}, and the account has ${status.remaining} left for this hour.`;
    throw new SalonError('rate_limited', message, { retryAfterMs: status.resetSeconds * 1000 });
  }
  reply.headers(toRateLimitHeaders(status));
  credentials.count(caller, extra, status);
  return (unused) => {
    limiter.refund(account, unused, status);
    credentials.count(caller, -unused, status);
  };
}

/** Quiet spells of this part of the time limit are counted: the first one may begin with bytes that were still leaving. */
const spells = 4;

/** Ends a response when the client reads nothing, but not while the database is read. */
function watchStall(
  { socket }: FastifyRequest,
  { raw }: FastifyReply,
  { stallMs, isReading }: { readonly stallMs: number; readonly isReading: () => boolean },
): void {
  const spellMs = stallMs / spells;
  let quiet = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  raw.setTimeout(spellMs, () => {
    const nowMs = performance.now();
    // A spell that was not quiet lets the next one come later.
    quiet = nowMs - lastMs < 1.5 * spellMs ? quiet + 1 : 1;
    lastMs = nowMs;
    if (isReading()) quiet = 0;
    if (quiet >= spells) raw.destroy();
    else socket.setTimeout(spellMs);
  });
}

/** What a list costs in addition to its request: never more than half an hour of requests. */
function toExtraCost(rows: number, { hourlyLimit }: { readonly hourlyLimit: number }): number {
  return Math.max(0, Math.min(Math.ceil(rows / streamedRowsPerRequest), Math.ceil(hourlyLimit / 2)) - 1);
}

function toLine(mark: ListMark): string {
  return `${JSON.stringify(mark)}\n`;
}

function prefersCursors({ headers }: FastifyRequest): boolean {
  const given = [headers['prefer'] ?? ''].flat().join(',').toLowerCase();
  return given.split(/[,;]/).some((preference) => preference.trim() === cursorsPreference);
}
