import { emptySight, joinSights, readSight, type Sight } from './limit-observation.ts';

/** What one gets: so many requests to send within half a minute, or when to ask again, and what all know of the limit. */
export interface Grant extends Pace {
  readonly sight: Sight;
}

/** Where those who share an account reserve their requests, so that together they stay within its limit. */
export interface Ledger {
  /** Books what was done since the last time and reserves more. What was reserved before and not sent goes back. */
  take(report: Report): Promise<Grant>;
  /** Books what was done for the last time and gives the rest back. */
  close(report: Report): Promise<void>;
}

export interface MemoryLedgerOptions {
  readonly now: () => number;
  readonly perHour: PaceFacts['perHour'];
}

/** A ledger for one client alone. */
export function createMemoryLedger({ now, perHour }: MemoryLedgerOptions): Ledger {
  let book = emptyBook;
  return {
    async take(report) {
      const nowMs = now();
      const reserved = reserve(settle(book, 'own', report, nowMs), 'own', { nowMs, perHour });
      book = reserved.book;
      return { ...reserved.pace, sight: book.sight };
    },
    async close() {},
  };
}

/** What all who share an account know together: what was told of its limit, who has reserved what, what was sent. */
export interface Book {
  readonly sight: Sight;
  /** What each of them has reserved or under way, by name. */
  readonly held: Readonly<Record<string, Held>>;
  /** Requests that were sent, by the minute in which they were booked. */
  readonly spent: readonly Spent[];
}

export interface Held {
  readonly count: number;
  readonly atMs: number;
}

export interface Spent {
  readonly minuteMs: number;
  readonly count: number;
}

export const emptyBook: Book = { sight: emptySight, held: {}, spent: [] };

/** What one of them has done since its last report. */
export interface Report {
  /** Requests that have ended, with or without an answer. */
  readonly ended: number;
  /** Requests that are still under way. */
  readonly underWay: number;
  readonly sight: Sight;
}

/** How many requests may be sent now, or when to look again. */
export interface Pace {
  readonly count: number;
  readonly againAtMs: number;
}

export interface PaceFacts {
  readonly nowMs: number;
  /** Requests that may be sent in any hour, over what the server says; undefined where nobody gave a number. */
  readonly perHour: number | undefined;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** Requests reserved at a time: what a crash may waste. */
const mostReserved = 64;
/** The same before the first answer has told anything. */
const mostReservedBlindly = 8;
/** The nearer the end, the smaller the part of what is left that one may reserve, so that nothing is left lying. */
const reservedPart = 1 / 8;
/** How long a reservation is kept for one that does not say anything more. */
const leaseMs = minuteMs;
/** How long one request is given to find out how the limit stands, before another one tries. */
const trialMs = 5_000;
/** When to look again where others may give something back at any moment. */
const pollMs = 250;

/** Books what one of them reports; whatever it had reserved beyond that is free again. */
export function settle(book: Book, name: string, report: Report, nowMs: number): Book {
  const { [name]: _before, ...others } = book.held;
  const own = report.underWay > 0 ? { [name]: { count: report.underWay, atMs: nowMs } } : {};
  const fresh = Object.entries(others).filter(([, { atMs }]) => atMs > nowMs - hourMs);
  return {
    sight: joinSights(book.sight, report.sight),
    held: { ...Object.fromEntries(fresh), ...own },
    spent: addSpent(book.spent, report.ended, nowMs),
  };
}

/** Reserves for one of them as much as the pace allows, but no more than a block. */
export function reserve(
  book: Book,
  name: string,
  facts: PaceFacts,
): { readonly book: Book; readonly pace: Pace } {
  const { count: free, againAtMs } = decidePace(book, facts);
  if (free < 1) return { book, pace: { count: 0, againAtMs } };
  const isKnown = book.sight.limitSeenAtMs > 0 || book.sight.noneSeenAtMs > 0;
  const most = isKnown ? mostReserved : mostReservedBlindly;
  const count = Math.max(1, Math.min(most, Math.floor(free * reservedPart)));
  const held = { count: count + (book.held[name]?.count ?? 0), atMs: facts.nowMs };
  return { book: { ...book, held: { ...book.held, [name]: held } }, pace: { count, againAtMs } };
}

/** How many requests may be sent, all reservations kept; where it is none, when to look again. */
export function decidePace(book: Book, facts: PaceFacts): Pace {
  const paces = [paceOfPause(book, facts), paceOfSight(book, facts), paceOfBudget(book, facts)];
  return paces.reduce((slowest, pace) =>
    pace.count < slowest.count || (pace.count === 0 && pace.againAtMs > slowest.againAtMs) ? pace : slowest,
  );
}

/** After a refusal nobody sends before its time is over. */
function paceOfPause({ sight }: Book, { nowMs }: PaceFacts): Pace {
  return nowMs < sight.pausedUntilMs ? { count: 0, againAtMs: sight.pausedUntilMs } : unhindered(nowMs);
}

/** What the server says is left, less what is promised already. One request at a time finds out where it is not known. */
function paceOfSight(book: Book, { nowMs }: PaceFacts): Pace {
  const standing = readSight(book.sight, nowMs);
  switch (standing.kind) {
    case 'unlimited':
      return unhindered(nowMs);
    case 'unknown':
      return { count: Math.max(0, 1 - heldSince(book, nowMs - trialMs)), againAtMs: nowMs + pollMs };
    case 'told': {
      const lease = Math.min(leaseMs, book.sight.windowMs);
      const { remaining, endsAtMs } = standing;
      const againAtMs = remaining > 0 ? Math.min(endsAtMs, nowMs + pollMs) : endsAtMs;
      return { count: Math.max(0, remaining - heldSince(book, nowMs - lease)), againAtMs };
    }
  }
}

/** The budget somebody gave: in no hour, wherever it begins, is more sent. */
function paceOfBudget(book: Book, { nowMs, perHour }: PaceFacts): Pace {
  if (perHour === undefined) return unhindered(nowMs);
  const [oldest] = book.spent;
  const spent = book.spent.reduce((sum, { count }) => sum + count, 0);
  const held = heldSince(book, nowMs - hourMs);
  const mayComeBack = spent < perHour && heldSince(book, nowMs - leaseMs) > 0;
  const ends = Object.values(book.held).map(({ atMs }) => atMs + hourMs);
  if (oldest !== undefined) ends.push(oldest.minuteMs + minuteMs + hourMs);
  const againAtMs = mayComeBack ? nowMs + pollMs : Math.max(nowMs + pollMs, Math.min(...ends));
  return { count: Math.max(0, perHour - spent - held), againAtMs };
}

function unhindered(nowMs: number): Pace {
  return { count: Number.POSITIVE_INFINITY, againAtMs: nowMs };
}

function heldSince({ held }: Book, sinceMs: number): number {
  return Object.values(held).reduce((sum, { count, atMs }) => (atMs > sinceMs ? sum + count : sum), 0);
}

/** A request counts until an hour after the end of its minute: never too short, and a minute too long at most. */
function addSpent(spent: readonly Spent[], count: number, nowMs: number): Spent[] {
  const kept = spent.filter((one) => one.minuteMs + minuteMs + hourMs > nowMs);
  if (count === 0) return kept;
  const minute = nowMs - (nowMs % minuteMs);
  const last = kept.at(-1);
  if (last === undefined || last.minuteMs < minute) return [...kept, { minuteMs: minute, count }];
  return [...kept.slice(0, -1), { ...last, count: last.count + count }];
}
