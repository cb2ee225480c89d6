import type { Sight } from './limit-sight.ts';
import { emptyBook, type Pace, type PaceFacts, type Report, reserve, settle } from './pace.ts';

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
