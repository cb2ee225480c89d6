import { SalonError } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import type { Snapshot } from '../db/engine.ts';
import type { CollectionPage, CursorPosition, ListPageRequest } from '../db/pages.ts';
import type { Context } from './context.ts';
import { type CollectionQuery, parsePaging, toOrder } from './list-page.ts';
import { invalidParameter } from './validation.ts';

/** A list from one snapshot. */
export interface ListStream extends AsyncDisposable {
  /** How many records match, those before the start included. */
  readonly total: number;
  /** The version of the whole collection. */
  readonly version: number;
  /** Reads one batch ahead. Throws `service_unavailable` if the snapshot would have to be kept for too long. */
  batches(): AsyncGenerator<ListBatch, void>;
}

export interface ListBatch {
  /** A record a line, as JSON in UTF-8. */
  readonly lines: Buffer;
  readonly count: number;
  /** The cursor after the last record when more follow, otherwise null. */
  readonly next: string | null;
}

/** Opens a list as a stream, from its start or after a cursor. One batch needs no snapshot. Throws `invalid_parameter`. */
export async function openListStream(
  { database, caller, environment }: Context,
  { collection, query, conditions, stylistId }: CollectionQuery,
): Promise<ListStream> {
  const accountId = caller.account.id;
  const { from, renderNext } = parsePaging([accountId, collection, stylistId], query);
  if ('offset' in from && from.offset > 0) {
    const detail = 'A list in one response has no pages. Use after to continue from a cursor.';
    throw invalidParameter('page', detail);
  }
  const request = { accountId, collection, conditions, order: toOrder(query.sort) };
  const list = { ...request, limit: pageSizes.max, format: 'lines' } as const;
  const only = await database.readPage({ ...list, from });
  if (only.last === null) return toStream(only, async () => {});
  const snapshot = await openListSnapshot(() => database.openSnapshot(accountId), environment.now);
  try {
    return toStream(await snapshot.readPage({ ...list, from }), snapshot.close);
  } catch (error) {
    await snapshot.close();
    throw error;
  }

  function toStream(first: CollectionPage, close: () => Promise<void>): ListStream {
    const { total, version } = first;
    return { total, version, batches: () => readBatches(first), [Symbol.asyncDispose]: close };
  }

  async function* readBatches(first: CollectionPage): AsyncGenerator<ListBatch, void> {
    let reading: Promise<CollectionPage> | undefined = Promise.resolve(first);
    while (reading !== undefined) {
      const { dataJson, count, last }: CollectionPage = await reading;
      reading = last === null ? undefined : readAfter(last);
      yield { lines: dataJson, count, next: renderNext(last) };
    }
  }

  function readAfter(after: CursorPosition): Promise<CollectionPage> {
    const reading = snapshot.readPage({ ...list, from: { after } });
    // The error is thrown when the batch is taken.
    reading.catch(() => {});
    return reading;
  }
}

/** A database keeps everything that was overwritten since a snapshot, so it is replaced where that changes nothing. */
const renewAfterMs = 10_000;
const maxAgeMs = 120_000;

/**
 * Opens a snapshot for the pages of one list, which are read one after the other. An old snapshot is replaced by a new
 * one if the list has kept its version. If it has not, `readPage` throws `service_unavailable` two minutes after the start.
 */
export async function openListSnapshot(open: () => Promise<Snapshot>, now: () => Date) {
  let snapshot = await open();
  let openedMs = now().getTime();
  let triedMs = openedMs;
  let version: number | undefined;
  let reading: Promise<unknown> = Promise.resolve();
  return {
    readPage(request: ListPageRequest) {
      const page = readPage(request);
      reading = page.catch(() => {});
      return page;
    },
    /** Waits for the page that is being read. May be called twice. */
    async close() {
      await reading;
      await snapshot.close();
    },
  };

  async function readPage(request: ListPageRequest): Promise<CollectionPage> {
    const nowMs = now().getTime();
    if (nowMs - triedMs > renewAfterMs) {
      triedMs = nowMs;
      const page = await readRenewed(request, nowMs);
      if (page !== undefined) return page;
      if (nowMs - openedMs > maxAgeMs) {
        const message = 'The list changed while it was read, and its snapshot has expired.';
        const hint = 'Continue after the last cursor.';
        throw new SalonError('service_unavailable', message, { hint, retryable: true });
      }
    }
    const page = await snapshot.readPage(request);
    version ??= page.version;
    return page;
  }

  async function readRenewed(request: ListPageRequest, nowMs: number): Promise<CollectionPage | undefined> {
    let stale = await open();
    try {
      const page = await stale.readPage(request);
      if (page.version !== version) return undefined;
      [stale, snapshot] = [snapshot, stale];
      openedMs = nowMs;
      return page;
    } finally {
      await stale.close();
    }
  }
}
