import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endpoints, type QueryOf, type ResponseOf } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseWait } from '../../contract/formats.ts';
import { readChanges } from '../domain/changes.ts';
import type { Credentials } from '../identity/credentials.ts';
import { type ExportNotes, noteRefusal } from './audit-notes.ts';
import { type AppContext, readBearer, toCaller, toSource } from './authentication.ts';
import { createBudget } from './connections.ts';
import { sendRecord } from './responses.ts';

type Page = ResponseOf<'listChanges'>;

/** Requests that wait at a time. */
const limits = { maxPerOwner: 4, maxTotal: 256 };
const retryAfterMs = 10_000;
/** How often a request that waits looks at the log, by one short statement. */
const checkMs = 500;

/**
 * Creates the handler of `listChanges`, which may hold a request until there are changes, its time is up, or the server
 * stops. A request that waits has no place in the queue of its account, and no connection of the database.
 */
export function createChangeHandler(
  { server }: FastifyInstance,
  context: AppContext,
  { credentials, noteExport }: { readonly credentials: Credentials; readonly noteExport: ExportNotes },
) {
  const slots = createBudget(limits);
  const operation = 'listChanges';
  const endpoint = endpoints[operation];

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // The operation's schema has validated the query.
    const query = request.query as QueryOf<typeof operation>;
    const inside = { ...context, caller: toCaller(request), source: toSource(request) };
    try {
      let page = await readChanges(inside, query);
      if (query.wait !== undefined && isEmpty(page))
        page = await waitForChanges(page, parseWait(query.wait) ?? 0);
      request.rowCount = page.data.length;
      const sent = { count: page.data.length, next: page.has_more ? page.position : null };
      await noteExport({ request, context: inside, path: endpoint.path }, sent);
      return sendRecord({ request, reply, endpoint }, page);
    } catch (error) {
      await noteRefusal({ request, context: inside, operation, id: '' }, error);
      throw error;
    }

    async function waitForChanges(page: Page, waitMs: number) {
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

function isEmpty({ data, has_more }: Page): boolean {
  return data.length === 0 && !has_more;
}
