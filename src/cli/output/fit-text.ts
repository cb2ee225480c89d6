import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const beyondAscii = /[^ -~]/;

/** The text in at most `width` columns of a terminal; what is cut off at its end leaves a `…`. */
export function cutEnd(text: string, width: number): string {
  if (fits(text, width)) return text;
  return width < 1 ? '' : `${takeWidth(text, width - 1)}…`;
}

/** As `cutEnd`, but cut in the middle: for identifiers, which begin alike and differ at their end. */
export function cutMiddle(text: string, width: number): string {
  if (fits(text, width) || width < 8 || beyondAscii.test(text)) return cutEnd(text, width);
  const start = Math.floor((width - 1) / 3);
  return `${text.slice(0, start)}…${text.slice(start + 1 - width)}`;
}

/** What a reader takes for one character, however many code points it is made of. */
export function splitGraphemes(text: string): Iterable<{ readonly segment: string; readonly index: number }> {
  return graphemes.segment(text);
}

function takeWidth(text: string, width: number): string {
  let [end, used] = [0, 0];
  for (const { segment, index } of splitGraphemes(text)) {
    used += stringWidth(segment);
    if (used > width) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

function fits(text: string, width: number): boolean {
  return (beyondAscii.test(text) ? stringWidth(text) : text.length) <= width;
}

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
