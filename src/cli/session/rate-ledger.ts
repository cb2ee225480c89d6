import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  type Book,
  createMemoryLedger,
  emptyBook,
  type Ledger,
  reserve,
  settle,
} from '../../client/rate-limit/ledger.ts';
import { openVersionedFile } from './versioned-file.ts';

export interface RateLedgerOptions {
  /** The folder that the ledgers of all accounts are in. */
  readonly folder: string;
  readonly origin: string;
  /** Whose limit it is: an account, or a key where no account is known. Nothing of it can be read in the file. */
  readonly owner: string;
  /** Tells this process from all others. */
  readonly name: string;
  readonly perHour: number | undefined;
  readonly now: () => number;
  /** Told once where there can be no ledger; the client then keeps its pace for itself. */
  readonly explain: (text: string) => void;
}

/** Opens the ledger of an account on this machine. Nothing is read or written before the first request. */
export function openRateLedger(options: RateLedgerOptions): Ledger {
  const { origin, owner, name, perHour, now, explain } = options;
  const folder = join(options.folder, fingerprint(`${origin}\n${owner}`));
  const file = openVersionedFile(folder, { name, now });
  const alone = createMemoryLedger({ now, perHour });
  let isUsable = true;
  return {
    async take(report) {
      const facts = { nowMs: now(), perHour };
      const grant = update((book) => {
        const reserved = reserve(settle(book, name, report, facts.nowMs), name, facts);
        return { book: reserved.book, result: { ...reserved.pace, sight: reserved.book.sight } };
      });
      return grant ?? alone.take(report);
    },
    async close(report) {
      update((book) => ({ book: settle(book, name, report, now()), result: undefined }));
    },
  };

  function update<Result>(change: (book: Book) => { book: Book; result: Result }): Result | undefined {
    if (!isUsable) return undefined;
    try {
      return file.update((text) => {
        const { book, result } = change(parseBook(text, now()));
        return { text: JSON.stringify(book), result };
      });
    } catch (thrown) {
      isUsable = false;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      explain(`The pace is not shared with other processes: ${reason}`);
      return undefined;
    }
  }
}

/** A book that is damaged, or that a clock set back makes one of the future, is begun anew: the server corrects it. */
function parseBook(text: string | undefined, nowMs: number): Book {
  if (text === undefined) return emptyBook;
  try {
    const book: unknown = JSON.parse(text);
    return isBook(book) && book.sight.newestSentAtMs <= nowMs ? book : emptyBook;
  } catch {
    return emptyBook;
  }
}

function isBook(value: unknown): value is Book {
  return (
    isRecord(value) &&
    isRecord(value['sight']) &&
    Object.keys(emptyBook.sight).every((part) => part === 'readings' || hasNumbers(value['sight'], [part])) &&
    isListOf(value['sight']['readings'], ['remaining', 'receivedAtMs', 'endsAtMs']) &&
    isRecord(value['held']) &&
    isListOf(Object.values(value['held']), ['count', 'atMs']) &&
    isListOf(value['spent'], ['minuteMs', 'count'])
  );
}

function isListOf(value: unknown, parts: readonly string[]): boolean {
  return Array.isArray(value) && value.every((one) => hasNumbers(one, parts));
}

function hasNumbers(value: unknown, parts: readonly string[]): boolean {
  return isRecord(value) && parts.every((part) => Number.isFinite(value[part]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
