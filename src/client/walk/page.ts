import type { PageFacts, Place } from './paging.ts';

/** One page of a list. */
export interface Page<T> {
  /** As the server sent them, unknown members kept. */
  readonly rows: readonly T[];
  readonly page: number;
  /** How many records match, as far as the server says. */
  readonly total: number | undefined;
  /** The collection's version, from servers that count it. */
  readonly version: number | undefined;
}

/** A page and what it says about where the list goes on. */
export interface PageRead<T> extends Page<T> {
  readonly facts: PageFacts;
  /** The page number as the server echoes it. */
  readonly echo: number | undefined;
}

/** Reads one page; the signal ends the reading when nobody wants it any more. */
export type ReadPage<T> = (place: Place, signal: AbortSignal) => Promise<PageRead<T>>;

/** What tells one row from another: its identifier, else all of it. */
export function keyOf(row: unknown): string {
  const id = typeof row === 'object' && row !== null && 'id' in row ? row.id : undefined;
  if (typeof id === 'string') return id;
  return typeof id === 'number' ? String(id) : JSON.stringify(row);
}

/** The keys of one answer's rows. Rows without an identifier that are alike in it are different rows all the same. */
export function keysOf(rows: readonly unknown[]): string[] {
  const alike = new Map<string, number>();
  return rows.map((row) => {
    const key = keyOf(row);
    if (!isNameless(row)) return key;
    const before = alike.get(key) ?? 0;
    alike.set(key, before + 1);
    return before === 0 ? key : `${key} ${before}`;
  });
}

function isNameless(row: unknown): boolean {
  return typeof row !== 'object' || row === null || !('id' in row);
}
