import { SalonError } from '../../contract/errors.ts';
import { keysOf, type PageRead } from './page.ts';
import {
  findPageOverlap,
  isLinked,
  isRepeated,
  isSameRow,
  isSeamless,
  isSuspicious,
  isUnchangedRow,
} from './page-overlap.ts';
import { nextPlace, type Place, planPages } from './page-plan.ts';
import { createPageQueue } from './page-queue.ts';
import type { SeenKeys } from './seen-keys.ts';

/** Rows to hand out: those up to the end of a page. */
export interface Piece<T> {
  readonly rows: readonly T[];
  /** Of these rows and of those on their page that were handed out before. */
  readonly keys: readonly string[];
  readonly read: PageRead<T>;
  /** Rows of a full page. */
  readonly perPage: number;
}

export interface PassParts<T> {
  readonly read: (place: Place) => Promise<PageRead<T>>;
  /** What this pass has handed out. */
  readonly seen: SeenKeys;
  /** Pages on their way or waiting at most. */
  readonly width: number;
  /** Whether the list has an order in which a row can move. */
  readonly isSorted: boolean;
  /** Whether rows come and go so that the total may stand still although the list does not. */
  readonly isUnsteady: () => boolean;
  /** Told where every number gives the whole list. */
  readonly tellUnpaged: (rows: number) => void;
}

export interface PassRange {
  readonly first: Place;
  /** Rows in front of the first page. */
  readonly before: number;
  /** Rows of a full page, where that is known. */
  readonly perPage: number | undefined;
  /** How many rows are wanted from there on. */
  readonly wanted: number;
  /** Whether `seen` knows the rows in front of the first page. */
  readonly isResumed: boolean;
}

type Pieces<T> = AsyncGenerator<Piece<T>, PageRead<T> | undefined>;

/**
 * Reads a list once, from a place to its end. Every row that is in it all the while is handed out once and none
 * twice, where pages carry versions and cursors; elsewhere if rows enter at the end alone and `total` tells of
 * every change. Throws `page_repeated`, and `unexpected_response` where the first page cannot be had by its number.
 */
export async function* readPass<T>(parts: PassParts<T>, range: PassRange): AsyncGenerator<Piece<T>, void> {
  const { read, seen, isSorted } = parts;
  const { first, before, perPage, wanted, isResumed } = range;
  const queue = createPageQueue(read, parts.width);
  let page: PageRead<T> | undefined = await readFirst();
  if (isElsewhere(page)) throw notByNumber(first.page);
  const { facts: start } = page;
  const plan = planPages(page.facts, { before, wanted: before + wanted, size: perPage });
  let position = before + page.rows.length;
  let fullest = page.rows.length;
  let rows = 0;
  const hasCursors = page.facts.cursor !== undefined;
  let hasDrifted = false;

  queue.plan(plan.first, plan.last);
  lookAhead(page);
  page = yield* isResumed && !isLinked(page) ? resume(page) : handOut(page, page.rows);
  while (page !== undefined && rows < wanted) {
    const place = placeAfter(page);
    if (place === undefined) {
      page = yield* readTail(page);
      continue;
    }
    if (queue.peek() === undefined) queue.ask(place);
    const next = await takeAfter(page);
    move(next);
    lookAhead(next);
    page = yield* join(page, next);
  }

  /** An address may have expired; a number has not, and what was handed out shows whether it leads to the right place. */
  async function readFirst(): Promise<PageRead<T>> {
    if (!isResumed || first.link === undefined) return read(first);
    try {
      return await read(first);
    } catch (thrown) {
      const isExpired = thrown instanceof SalonError && expired.includes(thrown.status ?? 0);
      if (!isExpired) throw thrown;
      return read({ page: first.page });
    }
  }

  function placeAfter({ facts }: PageRead<T>): Place | undefined {
    return nextPlace(facts, { rows: position, fullest });
  }

  function move({ facts: { place, count } }: PageRead<T>): void {
    const isPlanned = place.link === undefined && plan.last >= plan.first;
    position = isPlanned ? (place.page - 1) * plan.size + count : position + count;
    fullest = Math.max(fullest, count);
  }

  /** Where pages come one after the other, the next one is asked for while this one is used. */
  function lookAhead(next: PageRead<T>): void {
    const place = rows + next.rows.length < wanted ? placeAfter(next) : undefined;
    if (place !== undefined && queue.peek() === undefined) queue.ask(place);
  }

  async function takeAfter(last: PageRead<T>): Promise<PageRead<T>> {
    const next = await queue.take();
    if (isSeamless(last, next) || !isRepeated(last, next)) return next;
    // A list that has moved on by a whole page looks the same once, but not twice.
    const again = await read(next.facts.place);
    if (!isRepeated(last, again)) return again;
    if (last.facts !== start || !start.isBare) throw pageRepeated(again.page, rows);
    parts.tellUnpaged(start.count);
    return { ...again, rows: [], facts: { ...again.facts, count: 0 } };
  }

  /** Hands out what lies behind `last` up to the end of `next`; answers undefined where the list has ended. */
  async function* join(last: PageRead<T>, next: PageRead<T>): Pieces<T> {
    const isTrusted = isSeamless(last, next) || !(isSuspicious(last, next, plan.size) || parts.isUnsteady());
    if (isTrusted) return yield* handOut(next, next.rows);
    hasDrifted = true;
    // In creation order a page that holds a row handed out also holds what follows it.
    if (!isSorted && wasSeen(next)) return yield* handOut(next, next.rows);
    return yield* last.facts.cursor === undefined ? readBackwards(next) : bridge(last, next);
  }

  /** Reads on behind `last` by cursor, until that meets `next` or a page after it. */
  async function* bridge(last: PageRead<T>, next: PageRead<T>): Pieces<T> {
    for (let border = last; border.facts.cursor !== undefined; ) {
      const behind = await read({ page: next.page, link: border.facts.cursor });
      for (const [index, ahead] of [next, ...queue.arrived()].entries()) {
        const joint = findPageOverlap(behind.rows, ahead.rows, isSorted ? isUnchangedRow : isSameRow);
        if (joint === undefined) continue;
        queue.drop(index);
        if (index > 0) move(ahead);
        // In one piece, since it is at the end of a page that another walk can go on.
        const between = behind.rows.slice(0, joint.leave);
        return yield* handOut(ahead, [...between, ...ahead.rows.slice(joint.enter)]);
      }
      yield* handOut(behind, behind.rows);
      border = behind;
    }
    return undefined;
  }

  /**
   * Reads the pages in front of `next` once more, the nearest first, until one holds a row that was handed out.
   * Deletions slide rows towards the pages still to be read, so that nothing can be jumped over in this direction.
   */
  async function* readBackwards(next: PageRead<T>): Pieces<T> {
    const found = [next];
    for (let number = next.page - 1; number >= 1; number -= 1) {
      const earlier = await read({ page: number });
      found.unshift(earlier);
      if (wasSeen(earlier)) break;
    }
    for (const one of found) yield* handOut(one, one.rows);
    return next;
  }

  /** After changes the last page is read again until it brings nothing new. */
  async function* readTail(last: PageRead<T>): Pieces<T> {
    if (!hasDrifted || hasCursors || !last.facts.isNumbered) return undefined;
    const handed = rows;
    const next = await read({ page: Math.max(1, last.rows.length === 0 ? last.page - 1 : last.page) });
    move(next);
    yield* join(last, next);
    const goesOn = rows > handed || (last.rows.length > 0 && placeAfter(next) !== undefined);
    return goesOn ? next : undefined;
  }

  /** What was handed out before this pass ends in front of the first page, or did when that was found out. */
  async function* resume(next: PageRead<T>): Pieces<T> {
    hasDrifted = true;
    return yield* wasSeen(next) ? handOut(next, next.rows) : readBackwards(next);
  }

  async function* handOut(from: PageRead<T>, found: readonly T[]): Pieces<T> {
    const keys = keysOf(found);
    const isNew = seen.add(keys);
    const fresh = isNew.includes(false) ? found.filter((_row, index) => isNew[index]) : found;
    rows += fresh.length;
    yield { rows: fresh, keys, read: from, perPage: plan.size };
    return from;
  }

  /** Whether a page is not the one asked for by number, because this server gives its pages by address alone. */
  function isElsewhere(found: PageRead<T>): boolean {
    const { place, next, isNumbered } = found.facts;
    if (place.link !== undefined || place.page === 1) return false;
    return next !== undefined && !isNumbered && !wasSeen(found);
  }

  function wasSeen({ rows: found }: PageRead<T>): boolean {
    return seen.has(keysOf(found)).includes(true);
  }
}

/** How servers refuse an address that they gave once. */
const expired = [400, 404, 410, 422];

function pageRepeated(page: number, rows: number): SalonError {
  return new SalonError(
    'page_repeated',
    `Page ${page} is the same as the one before (${rows} rows were read).`,
    {
      hint: 'The server may name its page parameter otherwise, or have no pages; the dialect of the profile can say so.',
      members: { page, rows_read: rows },
    },
  );
}

function notByNumber(page: number): SalonError {
  return new SalonError(
    'unexpected_response',
    `The list cannot be read from page ${page} on: this server gives its pages by address, not by number.`,
    { hint: 'Read it from its start.' },
  );
}
