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
  /** The link to the next page, where it names the place behind the last row and not a number alone. */
  readonly cursor: string | undefined;
  readonly isLinked: boolean;
  /** Whether pages can be asked for by number. */
  readonly isNumbered: boolean;
  /** Whether it may be the whole list, should the next page be the same. */
  readonly isBare: boolean;
}

/** How far a walk has come in the list, the present page included. */
export interface Seen {
  /** Rows up to the end of the present page. */
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

/** Pages that can be read side by side because their numbers are known beforehand. */
export interface Plan {
  /** Rows on each of them. */
  readonly size: number;
  readonly first: number;
  /** Less than `first` where nothing can be planned. */
  readonly last: number;
}

export interface PlanRange {
  /** How many rows lie in front of the page a walk began with. */
  readonly before: number;
  /** Up to which row of the list it is read. */
  readonly wanted: number;
  /** Rows of a full page, where that is known. */
  readonly size?: number | undefined;
}

/** Plans what follows the page a walk began with. */
export function planPages(facts: PageFacts, { before, wanted, size: known }: PlanRange): Plan {
  const { count, total, perPage, place, isLinked, next, isNumbered } = facts;
  // The first page of several is full, whatever size the server echoes.
  const size = known ?? (place.page === 1 ? count : (perPage ?? count));
  const first = place.link === undefined ? place.page + 1 : Math.floor((before + count) / size) + 1;
  const ends = total === undefined || before + count >= total || (isLinked && next === undefined);
  if (ends || count === 0 || !isNumbered) return { size, first, last: 0 };
  return { size, first, last: Math.ceil(Math.min(total, wanted) / size) };
}

/** Rows a page should hold so that reading up to `limit` rows asks for nothing needless. */
export function pageSizeFor(limit: number | undefined, most: number): number {
  if (limit === undefined || limit === 0) return most;
  return Math.ceil(limit / Math.ceil(limit / most));
}
