import stringWidth from 'string-width';
import { monthNames, weekdayNames } from '../../time/local-days.ts';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const beyondAscii = /[^ -~]/;
const noBreak = '\u00a0';

/** What is of no use in part: IDs, dates with their times, phone numbers. */
const wholes = createWholes();
/** No date or phone number is longer, and hardly an ID. */
const maxWholeLength = 40;

function createWholes(): RegExp {
  const shortened = (names: readonly string[]) =>
    names.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|');
  const time = String.raw`\d{1,2}:\d{2}[AB]?(?:[–-]\d{1,2}:\d{2}[AB]?)?`;
  const words = `(?:(?:${shortened(weekdayNames)}) )?\\d{1,2} (?:${shortened(monthNames)})(?: \\d{4})?`;
  const moment = String.raw`(?:${words}|\d{4}-\d{2}-\d{2})(?:,? (?:at )?${time})?`;
  const id = '[a-z]{2,4}_[0-9a-z]{26}|[0-9a-f]{8}(?:-[0-9a-f]{4,12}){4}';
  const phone = String.raw`[+(]?\d(?:[ ()./-]{0,2}\d){5,16}`;
  return new RegExp(String.raw`(?<![\w-])(?:${id}|${moment}|${time}|${phone})(?![\w-])`, 'g');
}

/**
 * The text in at most `width` columns of the terminal, with `…` for a cut end. Only a first word is cut itself, and no
 * ID, time or phone number.
 */
export function cutEnd(text: string, width: number): string {
  if (fits(text, width)) return text;
  if (width < 1) return '';
  const most = takeWidth(text, width - 1).length;
  const nearby = text.slice(0, most + maxWholeLength).matchAll(wholes);
  const whole = nearby.find(({ index, 0: found }) => index < most && index + found.length > most);
  const taken = text.slice(0, whole?.index ?? most);
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

/**
 * The text in lines of at most `width` columns, broken at spaces, but not within an ID, a time or a phone number that
 * fits on a line. Words that do not fit on one are broken, or with `cut` broken behind dashes only and end in `…`.
 */
export function wrapText(
  text: string,
  width: number,
  longWords: 'break' | 'cut' = 'break',
): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of toParts(text, width, longWords)) {
    if (line === '' || fits((line + part).trimEnd(), width)) line += part;
    else {
      lines.push(line);
      line = part;
    }
  }
  return [...lines, line].map((one) => {
    const shown = one.trimEnd().replaceAll(noBreak, ' ');
    return longWords === 'cut' ? cutEnd(shown, width) : shown;
  });
}

/** Width of the widest word, ID, time or phone number. */
export function measureParts(text: string): number {
  return splitWords(text).reduce((most, word) => Math.max(most, stringWidth(word.trimEnd())), 0);
}

function splitWords(text: string): readonly string[] {
  return text.replace(wholes, (whole) => whole.replaceAll(' ', noBreak)).split(/(?<= )/);
}

/** What a line may be broken between. */
function toParts(text: string, width: number, longWords: 'break' | 'cut'): readonly string[] {
  const words = splitWords(text);
  if (longWords === 'cut') {
    const isWhole = (word: string) =>
      fits(word.trimEnd(), width) && word.replaceAll(noBreak, ' ').search(wholes) >= 0;
    const parts = words.flatMap((word) => (isWhole(word) ? word : word.split(/(?<=[\u00a0–-])/)));
    return parts.filter((part) => part !== ' ');
  }
  return words.flatMap((word) => {
    if (fits(word.trimEnd(), width)) return word;
    return word.split(/(?<=\u00a0)/).flatMap((part) => breakWord(part, width));
  });
}

/** The word in pieces of at most `width` columns. One pass over the graphemes, since it may be very long. */
function breakWord(word: string, width: number): readonly string[] {
  if (fits(word.trimEnd(), width)) return [word];
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
