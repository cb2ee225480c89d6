import type { Envelope } from './envelope.ts';

/** Sizes that servers like to cut pages to, whatever they were asked for. */
const usualSizes = [10, 12, 15, 20, 24, 25, 30, 40, 50, 60, 75, 100, 150, 200, 250, 300, 500, 1_000];

/**
 * Whether an answer may be the whole of a list although it does not say so: nothing on it speaks of pages, and its
 * length is none that a page would have, given the size that was asked for.
 */
export function isBarePage(envelope: Envelope, askedSize: number): boolean {
  const { rows, page, perPage, total, isLinked } = envelope;
  const tellsNothing = page === undefined && perPage === undefined && total === undefined && !isLinked;
  return tellsNothing && rows.length !== askedSize && !usualSizes.includes(rows.length);
}
