import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endpoints, type QueryOf } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseWait } from '../../contract/formats.ts';
import { filterMoved, type LogEnd, parsePosition } from '../domain/changes.ts';
import type { Context } from '../domain/context.ts';
import type { Credentials } from '../identity/credentials.ts';
import { type ExportNotes, noteRefusal } from './audit-notes.ts';
import { type AppContext, readBearer, toCaller, toSource } from './authentication.ts';
import { createBudget } from './connections.ts';
import { handlers, type OperationRequest } from './handlers.ts';
import type { RequestQueue } from './request-queue.ts';
import { sendRecord } from './responses.ts';

/** Requests that wait at a time. */
const limits = { maxPerOwner: 4, maxTotal: 1_000 };
const retryAfterMs = 10_000;
/** How often to look at the logs of the accounts whose requests wait: one short statement for all of them. */
const checkMs = 250;

interface WaitingRequest extends LogEnd {
  /** Ends the wait, with a change or without one. */
  end(hasChanged: boolean): void;
}

interface FeedTools {
  readonly credentials: Credentials;
  readonly queue: RequestQueue;
  readonly noteExport: ExportNotes;
}

/**
 * Creates the handler of `listChanges`, which may hold a request until there are changes, its time is up, or the server
 * stops. A request that waits has no place in the queue of its account, and no connection of the database.
 */
export function createChangeHandler(
  app: FastifyInstance,
  context: AppContext,
  { credentials, queue, noteExport }: FeedTools,
) {
  const wait = createChangeWait(app, context);
  const slots = createBudget(limits);
  const operation = 'listChanges';
  const endpoint = endpoints[operation];

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // The operation's schema has validated the query.
    const query = request.query as QueryOf<'listChanges'>;
    const inside = { ...context, caller: toCaller(request), source: toSource(request) };
    const read = (now: Context, after = query.after) =>
      handlers.listChanges({
        ...{ context: now, query: { ...query, ...(after === undefined ? {} : { after }) } },
      } as OperationRequest<'listChanges'>);
    try {
      let page = await read(inside);
      if (query.wait !== undefined) page = await readWithin(parseWait(query.wait) ?? 0, page);
      request.rowCount = page.data.length;
      const sent = { count: page.data.length, next: page.has_more ? page.position : null };
      await noteExport({ request, context: inside, path: endpoint.path }, sent);
      return sendRecord({ request, reply, endpoint }, page);
    } catch (error) {
      await noteRefusal({ request, context: inside, operation, id: '' }, error);
      throw error;
    }

    async function readWithin(waitMs: number, first: Awaited<ReturnType<typeof read>>) {
      const accountId = inside.caller.account.id;
      const endMs = performance.now() + waitMs;
      if (!slots.take(accountId, 1)) {
        const detail = `An account may have ${limits.maxPerOwner} requests that wait for changes.`;
        throw new SalonError('rate_limited', detail, { retryAfterMs });
      }
      try {
        let page = first;
        while (page.data.length === 0 && !page.has_more) {
          request.place?.end();
          const { seq } = parsePosition(page.position);
          if (!(await wait(reply, { accountId, seq }, Math.max(0, endMs - performance.now())))) break;
          // The rights of the caller may have ended since.
          const caller = await credentials.read(readBearer(request.raw.rawHeaders), inside.source);
          queue.admit(request, endpoint);
          await new Promise<void>((resolve, reject) => {
            queue.start(request, reply, (error) => (error === undefined ? resolve() : reject(error)));
          });
          page = await read({ ...inside, caller }, page.position);
        }
        return page;
      } finally {
        slots.give(accountId, 1);
      }
    }
  };
}

/** Creates a function that resolves with whether the log of an account goes on, as soon as it does. */
function createChangeWait(app: FastifyInstance, { database }: AppContext) {
  const waiting = new Set<WaitingRequest>();
  let isChecking = false;
  let isStopping = false;
  /** A server that leaves its port to another process no longer listens; one inside a process never does. */
  let hasListened = false;

  app.server.once('listening', () => {
    hasListened = true;
  });
  app.addHook('preClose', async () => {
    isStopping = true;
    endAll();
  });

  function endAll(): void {
    for (const one of waiting) one.end(false);
  }

  async function check(): Promise<void> {
    if (hasListened && !app.server.listening) endAll();
    isChecking = waiting.size > 0;
    if (!isChecking) return;
    // With an error, all requests read again, and get it themselves.
    const moved = await filterMoved(database, [...waiting]).catch(() => waiting);
    for (const one of moved) one.end(true);
    setTimeout(check, checkMs);
  }

  return async ({ raw }: FastifyReply, from: LogEnd, waitMs: number): Promise<boolean> => {
    if (isStopping || raw.destroyed) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const one = { ...from, end: resolve };
    const timeout = setTimeout(resolve, waitMs, false);
    const leave = () => resolve(false);
    raw.once('close', leave);
    waiting.add(one);
    if (!isChecking) setTimeout(check, checkMs);
    isChecking = true;
    return promise.finally(() => {
      clearTimeout(timeout);
      raw.off('close', leave);
      waiting.delete(one);
    });
  };
}
