/** Characters of a text that decide its place; a cursor carries them, and a cursor has to stay short. */
const sortedLength = 64;

/** What a text is ordered by, without regard to case and accents; control characters have no place in an order. */
export function toSortKey(text: string): string {
  const letters = text.normalize('NFKD').replace(/[\p{M}\p{C}]/gu, '');
  return letters.toLowerCase().slice(0, sortedLength).toWellFormed();
}
