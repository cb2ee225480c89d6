import { type DriftingList, parseCursor, renderCursor, type Slice } from './drifting-list.ts';
import type { ListMetadata } from './drifting-pages.ts';
import {
  json,
  type MisbehavingServer,
  openMisbehavingServer,
  type Received,
  type Reply,
} from './misbehaving-server.ts';

export interface DriftingServerOptions {
  readonly metadata: ListMetadata;
  readonly mostPerPage: number;
  /** Returns a reply for requests that should fail. */
  readonly failing?: (request: Received) => Reply | undefined;
}

/**
 * Serves clients from a list that changes between requests. Responses take up to 3 ms and arrive out of order. The
 * list's seed decides everything except the order in which requests arrive.
 */
export function openDriftingServer(
  list: DriftingList,
  { metadata, mostPerPage, failing }: DriftingServerOptions,
): Promise<MisbehavingServer> {
  return openMisbehavingServer((request, index) => {
    const { query } = request;
    const failure = failing?.(request);
    if (failure !== undefined) return failure;
    if (index > 0) list.drift();
    const perPage = Math.min(mostPerPage, Number(query.get('per_page') ?? 50));
    const page = Number(query.get('page') ?? 1);
    const after = query.get('after');
    const slice = after === null ? list.page(page, perPage) : list.after(parseCursor(after), perPage);
    const answer = toReply(slice, { metadata, page, perPage });
    return (response) => setTimeout(() => answer(response), list.dice() * 3);
  });
}

function toReply(
  { rows, total, version, hasMore }: Slice,
  { metadata, page, perPage }: { metadata: ListMetadata; page: number; perPage: number },
): Reply {
  if (metadata === 'nothing') return json({ data: rows });
  const body = { data: rows, pagination: { page, per_page: perPage, total } };
  if (metadata === 'total') return json(body);
  const last = rows.at(-1);
  const after = last === undefined ? '' : renderCursor(last);
  const next = `</api/v1/clients?page=${page + 1}&per_page=${perPage}&after=${after}>; rel="next"`;
  const link = `</api/v1/clients?page=1&per_page=${perPage}>; rel="first"${hasMore ? `, ${next}` : ''}`;
  return json(body, { headers: { 'salon-collection-version': String(version), link } });
}
