import type { FetchedPage, PageRequest } from './page.ts';

interface PendingPage<T> {
  readonly request: PageRequest;
  readonly fetching: Promise<FetchedPage<T>>;
  fetched: FetchedPage<T> | undefined;
}

/**
 * Fetches pages concurrently and returns them in the order they were requested. How many requests run is up to the queue of
 * the client; this one only keeps the order.
 */
export function createPageQueue<T>(
  fetchPage: (request: PageRequest) => Promise<FetchedPage<T>>,
  width: number,
) {
  const queue: PendingPage<T>[] = [];
  let [next, last] = [1, 0];
  return {
    request: enqueue,
    /** Requests the pages from `first` to `last` by number, at most `width` at a time. */
    plan(from: number, to: number) {
      [next, last] = [from, to];
      fill();
    },
    /** The next page; undefined if none was requested. */
    peek: () => queue[0]?.request,
    async take() {
      const pending = queue.shift();
      if (pending === undefined) throw new RangeError('No page was requested.');
      const page = await pending.fetching;
      fill();
      return page;
    },
    /** The next pages that have arrived without a gap. */
    arrived() {
      const end = queue.findIndex(({ fetched }) => fetched === undefined);
      return queue.slice(0, end === -1 ? queue.length : end).flatMap(({ fetched }) => fetched ?? []);
    },
    drop(count: number) {
      queue.splice(0, count);
      fill();
    },
    /** Drops everything that was requested or planned. */
    clear() {
      [next, last] = [1, 0];
      queue.length = 0;
    },
  };

  function fill(): void {
    for (; next <= last && queue.length < width; next += 1) enqueue({ page: next });
  }

  function enqueue(request: PageRequest): void {
    const pending: PendingPage<T> = { request, fetching: fetchPage(request), fetched: undefined };
    // A failure is reported when the page is taken.
    pending.fetching.then(
      (page) => {
        pending.fetched = page;
      },
      () => {},
    );
    queue.push(pending);
  }
}
