/**
 * Whether a text is another one in which letters have become question marks: what spreadsheet programs leave of
 * `Jiří` when they save a CSV in an encoding without `ř`. Some write one for each half of an emoji.
 */
export function hasLostLetters(wanted: unknown, present: unknown): boolean {
  if (typeof wanted !== 'string' || typeof present !== 'string' || wanted === present) return false;
  return isSpoiled(wanted.split(''), present.split('')) || isSpoiled([...wanted], [...present]);
}

function isSpoiled(wanted: readonly string[], present: readonly string[]): boolean {
  const mayBe = (found: string | undefined, letter: string) =>
    found === letter || (found === '?' && letter > '\u007f');
  return wanted.length === present.length && present.every((letter, index) => mayBe(wanted[index], letter));
}
