import type { FetchedPage, FetchPage, PageRequest } from '../../src/client/pagination/page.ts';
import { type DriftingList, parseCursor, type Row, renderCursor, type Slice } from './drifting-list.ts';

/** What a server tells beside its rows. */
export type Told = 'versions and cursors' | 'total' | 'nothing';

export interface DriftingPages {
  readonly readPage: FetchPage<Row>;
  readonly asked: () => number;
}

/**
 * Reads a drifting list without a network, so that a seed always gives the same run: requests are answered in an
 * order that the list's dice choose, each when everything else has come to rest, and the list changes before each.
 */
export function createDriftingPages(list: DriftingList, told: Told, perPage: number): DriftingPages {
  const waiting: (() => void)[] = [];
  let asked = 0;
  let isAnswering = false;
  return {
    asked: () => asked,
    async readPage(place) {
      asked += 1;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (!isAnswering) setImmediate(answerOne);
        isAnswering = true;
      });
      if (asked > 1) list.drift();
      return toRead(place, told, perPage, sliceAt(list, place, perPage));
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

function toRead(place: PageRequest, told: Told, perPage: number, slice: Slice): FetchedPage<Row> {
  const isVersioned = told === 'versions and cursors';
  const last = slice.rows.at(-1);
  const next =
    isVersioned && slice.hasMore && last !== undefined
      ? `?page=${place.page + 1}&after=${renderCursor(last)}`
      : undefined;
  const total = told === 'nothing' ? undefined : slice.total;
  return {
    rows: slice.rows,
    page: place.page,
    total,
    version: isVersioned ? slice.version : undefined,
    echo: place.page,
    info: {
      request: place,
      count: slice.rows.length,
      total,
      perPage,
      next,
      cursor: next,
      isLinked: isVersioned,
      isNumbered: true,
      mayBeWholeList: false,
    },
  };
}
