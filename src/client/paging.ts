/** Where a page is: its number, and the address the server gave for it, if it gave one. */
export interface Place {
  readonly page: number;
  readonly link?: string | undefined;
}

/** What a page says about the list it belongs to. */
export interface PageFacts {
  readonly place: Place;
  readonly count: number;
  readonly total: number | undefined;
  readonly perPage: number | undefined;
  readonly next: string | undefined;
  readonly isLinked: boolean;
  readonly isNumbered: boolean;
}

/** What a walk has seen so far, the present page included. */
export interface Seen {
  readonly rows: number;
  readonly fullest: number;
}

/** Where a walk goes on after a page; undefined at the end of the list. */
export function nextPlace(facts: PageFacts, seen: Seen): Place | undefined {
  const page = facts.place.page + 1;
  if (facts.count === 0) return undefined;
  if (facts.next !== undefined) return { page, link: facts.next };
  if (facts.isLinked || !facts.isNumbered) return undefined;
  // More rows than there are in all: such a total is no guide, and ending by it would lose the rest in silence.
  const total = facts.total === undefined || facts.total < seen.rows ? undefined : facts.total;
  if (total !== undefined) return total === seen.rows ? undefined : { page };
  // A page is known to be short by what the server says or did, not by what was asked: it may allow less.
  const isShort = facts.count < Math.max(facts.perPage ?? 0, seen.fullest);
  return isShort ? undefined : { page };
}

/** Rows a page should hold so that reading up to `limit` rows asks for nothing needless. */
export function pageSizeFor(limit: number | undefined, most: number): number {
  if (limit === undefined || limit === 0) return most;
  return Math.ceil(limit / Math.ceil(limit / most));
}
