import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endpoints, type QueryOf } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseWait } from '../../contract/formats.ts';
import { pageSizes } from '../../contract/limits.ts';
import { streamedRowsPerRequest } from '../../contract/schemas.ts';
import { type ChangesAsJson, readChanges } from '../domain/changes.ts';
import type { ListBatch } from '../domain/list-stream.ts';
import type { Credentials } from '../identity/credentials.ts';
import { type ExportNotes, noteRefusal } from './audit-notes.ts';
import { type AppContext, readBearer, toCaller, toSource } from './authentication.ts';
import { createBudget } from './connections.ts';
import { jsonMediaType, type StreamOptions, sendStream, wantsLines } from './responses.ts';

/** Requests that wait at a time. */
const limits = { maxPerOwner: 4, maxTotal: 256 };
const retryAfterMs = 10_000;
/** How often a request that waits looks at the log, by one short statement. */
const checkMs = 500;
const pagesPerRequest = streamedRowsPerRequest / pageSizes.max;

/**
 * Creates the handler of `listChanges`, which may hold a request until there are changes, its time is up, or the server
 * stops. A request that waits has no place in the queue of its account, and no connection of the database.
 */
export function createChangeHandler(
  { server }: FastifyInstance,
  context: AppContext,
  {
    credentials,
    noteExport,
    streaming,
  }: {
    readonly credentials: Credentials;
    readonly noteExport: ExportNotes;
    readonly streaming: StreamOptions;
  },
) {
  const slots = createBudget(limits);
  const operation = 'listChanges';
  const endpoint = endpoints[operation];

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // The operation's schema has validated the query.
    const isStream = wantsLines(request);
    const given = request.query as QueryOf<typeof operation>;
    const query = isStream ? { ...given, per_page: pageSizes.max } : given;
    const inside = { ...context, caller: toCaller(request), source: toSource(request) };
    try {
      let page = await readChanges(inside, query);
      if (query.wait !== undefined && isEmpty(page))
        page = await waitForChanges(page, parseWait(query.wait) ?? 0);
      reply.header('vary', 'Accept');
      if (isStream) return await sendLines(page);
      request.rowCount = page.data.length;
      await noteExport({ request, context: inside, path: endpoint.path }, toSent(page));
      const { data, ...rest } = page;
      const json = `{"data":[${data.join()}],${JSON.stringify(rest).slice(1)}`;
      return reply.header('content-type', jsonMediaType).send(Buffer.from(json));
    } catch (error) {
      await noteRefusal({ request, context: inside, operation, id: '' }, error);
      throw error;
    }

    /** All that has changed, page after page. It costs a request for every 1,000 entries of the log. */
    function sendLines(first: ChangesAsJson): Promise<FastifyReply> {
      const { account } = inside.caller;
      const list = { request, context: inside, path: endpoint.path };
      async function* batches(): AsyncGenerator<ListBatch, void> {
        let page = first;
        for (let pages = 1; ; pages += 1) {
          const lines = Buffer.from(page.data.map((change) => `${change}\n`).join(''));
          const batch = { lines, count: page.data.length, next: page.position };
          await noteExport(list, { ...batch, ...toSent(page) });
          yield batch;
          if (!page.has_more) return;
          const isPaid = pages % pagesPerRequest > 0 || (await streaming.limiter.charge(account, 1)).allowed;
          if (!isPaid) throw new SalonError('rate_limited', 'The account has no request left for the rest.');
          page = await readChanges(inside, { ...query, after: page.position });
        }
      }
      const onBatch = async ({ count }: ListBatch) => {
        request.rowCount = (request.rowCount ?? 0) + count;
      };
      return sendStream({ request, reply, open: async () => ({ batches }), onBatch }, streaming);
    }

    async function waitForChanges(page: ChangesAsJson, waitMs: number) {
      const accountId = inside.caller.account.id;
      const endMs = performance.now() + waitMs;
      // A server that stops, or leaves its port to another process, no longer listens; one inside a process never does.
      const { listening } = server;
      let last = page;
      if (!slots.take(accountId, 1)) {
        const detail = `An account may have ${limits.maxPerOwner} requests that wait for changes.`;
        throw new SalonError('rate_limited', detail, { retryAfterMs });
      }
      try {
        request.place?.end();
        while (isEmpty(last)) {
          const leftMs = Math.min(checkMs, endMs - performance.now());
          if (leftMs <= 0 || server.listening !== listening || reply.raw.destroyed) return last;
          await setTimeout(leftMs);
          last = await readChanges(inside, { ...query, after: last.position });
        }
        // The rights of the caller may have ended since.
        const caller = await credentials.read(readBearer(request.raw.rawHeaders), inside.source);
        return await readChanges({ ...inside, caller }, query);
      } finally {
        slots.give(accountId, 1);
      }
    }
  };
}

function toSent({ data, has_more, position }: ChangesAsJson) {
  return { count: data.length, next: has_more ? position : null };
}

function isEmpty({ data, has_more }: ChangesAsJson): boolean {
  return data.length === 0 && !has_more;
}
