/** A text from outside, fit to stand in a sentence: one line, nothing invisible, not too long. */
export function toQuote(text: string, longest = 300): string {
  const flat = text
    .slice(0, longest * 4)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  const characters = [...flat];
  return characters.length <= longest ? flat : `${characters.slice(0, longest).join('')}…`;
}
