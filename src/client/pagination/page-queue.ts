import type { PageRead } from './page.ts';
import type { Place } from './page-plan.ts';

/** Pages on their way, taken in the order they were asked for. */
export interface PageQueue<T> {
  /** Asks for a page now. */
  ask(place: Place): void;
  /** Asks for the pages from `first` to `last` by number, as many at a time as the width allows. */
  plan(first: number, last: number): void;
  /** Asks for as many of the planned pages as have room. */
  fill(): void;
  /** The place of the page that comes next; undefined when none is on its way. */
  peek(): Place | undefined;
  take(): Promise<PageRead<T>>;
  /** Those that are there already, without a gap, nearest first. */
  arrived(): readonly PageRead<T>[];
  /** Forgets the next `count` pages. */
  drop(count: number): void;
}

interface Asked<T> {
  readonly place: Place;
  readonly reading: Promise<PageRead<T>>;
  read: PageRead<T> | undefined;
}

export function createPageQueue<T>(
  read: (place: Place) => Promise<PageRead<T>>,
  width: number,
): PageQueue<T> {
  const queue: Asked<T>[] = [];
  let [next, last] = [1, 0];
  return {
    ask,
    fill,
    plan(from, to) {
      [next, last] = [from, to];
      fill();
    },
    peek: () => queue[0]?.place,
    async take() {
      const asked = queue.shift();
      if (asked === undefined) throw new RangeError('No page is on its way.');
      const page = await asked.reading;
      fill();
      return page;
    },
    arrived() {
      const end = queue.findIndex(({ read: page }) => page === undefined);
      return queue.slice(0, end === -1 ? queue.length : end).flatMap(({ read: page }) => page ?? []);
    },
    drop(count) {
      queue.splice(0, count);
      fill();
    },
  };

  function fill(): void {
    for (; next <= last && queue.length < width; next += 1) ask({ page: next });
  }

  function ask(place: Place): void {
    const asked: Asked<T> = { place, reading: read(place), read: undefined };
    // Whoever is still busy with the pages before hears of a failure when it takes this one.
    asked.reading.then(
      (page) => {
        asked.read = page;
      },
      () => {},
    );
    queue.push(asked);
  }
}
