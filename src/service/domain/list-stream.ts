import { pageSizes } from '../../contract/limits.ts';
import type { CollectionPage, CursorPosition } from '../db/pages.ts';
import { openListSnapshot } from '../db/records/list-snapshot.ts';
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
