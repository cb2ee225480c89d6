import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const beyondAscii = /[^ -~]/;

/** The text in at most `width` columns of the terminal, with `…` for a cut end. Only a first word is cut itself. */
export function cutEnd(text: string, width: number): string {
  if (fits(text, width)) return text;
  if (width < 1) return '';
  const taken = takeWidth(text, width - 1);
  const words = text[taken.length] === ' ' ? taken : taken.replace(/(?<=[^ ]) +[^ ]*$/, '');
  return `${words.replace(/(?<=[^ ])[ ,·–-]+$/, '')}…`;
}

/** The text in exactly `width` columns, cut or padded. */
export function padToWidth(text: string, width: number): string {
  const cut = cutEnd(text, width);
  return cut + ' '.repeat(Math.max(0, width - stringWidth(cut)));
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar that is so many columns of the terminal long, to an eighth. */
export function renderBar(length: number): string {
  const size = Math.round(length * 8);
  return '█'.repeat(Math.floor(size / 8)) + (eighths[size % 8] ?? '');
}

/** The text in lines of at most `width` columns, broken at spaces, or inside words that are too long. */
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

/** The text in lines of at most `width` columns, broken at spaces and behind dashes. Longer words end in `…`. */
export function wrapWords(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=[ \-–])/).filter((part) => part !== ' ')) {
    if (line === '' || stringWidth((line + word).trimEnd()) <= width) line += word;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].map((one) => cutEnd(one.trimEnd(), width));
}

/** The word in pieces of at most `width` columns. One pass over the graphemes, since it may be very long. */
function breakWord(word: string, width: number): string[] {
  if (fits(word, width)) return [word];
  const pieces: string[] = [];
  let [start, used] = [0, 0];
  for (const { segment, index } of graphemes.segment(word)) {
    const segmentWidth = stringWidth(segment);
    if (used + segmentWidth > width && index > start) {
      pieces.push(word.slice(start, index));
      [start, used] = [index, 0];
    }
    used += segmentWidth;
  }
  return [...pieces, word.slice(start)];
}

function takeWidth(text: string, width: number): string {
  let [end, used] = [0, 0];
  for (const { segment, index } of graphemes.segment(text)) {
    used += stringWidth(segment);
    if (used > width) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

function fits(text: string, width: number): boolean {
  return (beyondAscii.test(text) ? stringWidth(text) : text.length) <= width;
}
