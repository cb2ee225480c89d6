import stringWidth from 'string-width';
import { splitGraphemes } from './cut-text.ts';

/** The text as lines of at most `width` columns, broken at spaces where there are any, else between graphemes. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (stringWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = breakWord(word, width);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return [...lines, line];
}

/** In one pass, because a text without a space may be as long as the service lets it. */
function breakWord(word: string, width: number): string[] {
  const pieces: string[] = [];
  let [start, used] = [0, 0];
  for (const { segment, index } of splitGraphemes(word)) {
    const wide = stringWidth(segment);
    if (used + wide > width && index > start) {
      pieces.push(word.slice(start, index));
      [start, used] = [index, 0];
    }
    used += wide;
  }
  return [...pieces, word.slice(start)];
}
