import type { PageFacts, Place } from './page-plan.ts';

/** One page of a list. */
export interface Page<T> {
  /** As the server sent them, unknown members kept. */
  readonly rows: readonly T[];
  readonly page: number;
  /** How many records match, as far as the server says. */
  readonly total: number | undefined;
  /** The collection's version, from servers that count it. */
  readonly version: number | undefined;
  /**
   * Where another walk goes on behind this page; rows that a limit cut off are passed over. Undefined where the rows
   * were put in order here: such a list has to be read from its start.
   */
  readonly resume: ResumePoint | undefined;
  /** Rows read so far, while a list is still being put in order and none can be handed out. */
  readonly heldBack?: number | undefined;
}

/** Where a walk goes on: plain data, which can be kept and outlives the process. */
export interface ResumePoint {
  /** The page that comes next, and the size its number goes with. */
  readonly page: number;
  readonly perPage: number;
  /** Rows handed out so far. */
  readonly rows: number;
  /** The address of what comes next, from servers that give one. */
  readonly cursor?: string | undefined;
  /**
   * Keys of the rows handed out last. By them a list without cursors is recognised although it has moved, and none
   * of them is handed out again; those of some pages make it certain that one is there still.
   */
  readonly behind?: readonly string[] | undefined;
}

/** A page and what it says about where the list goes on. */
export interface PageRead<T> extends Omit<Page<T>, 'resume'> {
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
