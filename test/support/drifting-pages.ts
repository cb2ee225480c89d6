import type { FetchedPage, FetchPage, PageRequest } from '../../src/client/pagination/page.ts';
import { type DriftingList, parseCursor, type Row, renderCursor, type Slice } from './drifting-list.ts';

/** The metadata a server sends with its rows. */
export type ListMetadata = 'versions and cursors' | 'total' | 'nothing';

export interface DriftingPages {
  readonly fetchPage: FetchPage<Row>;
  readonly requested: () => number;
}

/**
 * Reads a drifting list without a network, so that a seed always gives the same run. Responses come in an order
 * chosen by the list's dice, each once everything else is idle, and the list changes before each of them.
 */
export function createDriftingPages(
  list: DriftingList,
  metadata: ListMetadata,
  perPage: number,
): DriftingPages {
  const waiting: (() => void)[] = [];
  let requested = 0;
  let isAnswering = false;
  return {
    requested: () => requested,
    async fetchPage(request) {
      requested += 1;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (!isAnswering) setImmediate(answerOne);
        isAnswering = true;
      });
      if (requested > 1) list.drift();
      return toFetchedPage(request, metadata, perPage, sliceAt(list, request, perPage));
    },
  };

  function answerOne(): void {
    const [answer] = waiting.splice(Math.floor(list.dice() * waiting.length), 1);
    isAnswering = waiting.length > 0;
    if (isAnswering) setImmediate(answerOne);
    answer?.();
  }
}

function sliceAt(list: DriftingList, { page, link }: PageRequest, perPage: number): Slice {
  const after = /after=(.+)/.exec(link ?? '')?.[1];
  return after === undefined ? list.page(page, perPage) : list.after(parseCursor(after), perPage);
}

function toFetchedPage(
  request: PageRequest,
  metadata: ListMetadata,
  perPage: number,
  slice: Slice,
): FetchedPage<Row> {
  const isVersioned = metadata === 'versions and cursors';
  const last = slice.rows.at(-1);
  const next =
    isVersioned && slice.hasMore && last !== undefined
      ? `?page=${request.page + 1}&after=${renderCursor(last)}`
      : undefined;
  const total = metadata === 'nothing' ? undefined : slice.total;
  return {
    rows: slice.rows,
    page: request.page,
    total,
    version: isVersioned ? slice.version : undefined,
    echo: request.page,
    info: {
      request: request,
      count: slice.rows.length,
      total,
      perPage,
      next,
      cursor: next,
      isEnd: isVersioned && next === undefined,
      more: undefined,
      isNumbered: true,
    },
  };
}
