import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { UnclearCell } from '../sheet/sheet-form.ts';

/**
 * What programs take UTF-8 for, most often what they call ANSI: each language of Windows has its own. Node decodes them as
 * browsers do, but not those of DOS, which consoles use.
 */
const readable = [
  ...['windows-1252', 'windows-1250', 'macintosh', 'windows-1251', 'windows-1253', 'iso-8859-2'],
  ...['ibm866', 'cp437', 'cp850', 'cp852', 'latin1', 'windows-1254', 'windows-1255', 'windows-1256'],
  'koi8-r',
];
/** Ordinary text has letters of these that are the UTF-8 of others: only beside the current text they are known. */
const ambiguous = [
  ...['windows-1257', 'windows-1258', 'windows-874', 'iso-8859-9', 'iso-8859-15', 'cp857'],
  ...['gbk', 'big5', 'shift_jis', 'euc-kr'],
];

function createDecoder(encoding: string): (bytes: Buffer) => string {
  if (/^(?:cp|latin1|iso-8859-9)/.test(encoding)) return (bytes) => iconv.decode(bytes, encoding);
  const decoder = new TextDecoder(encoding);
  return (bytes) => decoder.decode(bytes);
}

const readableDecoders = readable.map(createDecoder);
const decoders = [...readableDecoders, ...ambiguous.map(createDecoder)];
/** Bytes that they have no letters for: programs drop them, keep them, or LibreOffice makes its own of them. */
const lostBytes = /[\u0080\u0081\u008D\u008F\u0090\u009D\u00A0\uF180-\uF19F\uF8F0-\uF8F3\uFFFD]/g;

/** Whether a cell shows the UTF-8 of a text in another encoding: `ZoÃ«` or `Zo√´` for `Zoë`. */
export function isMojibakeOf(text: string, cell: string): boolean {
  if (!/[^\0-\x7f]/.test(cell) || cell === text) return false;
  const [shown, bytes] = [toComparable(cell), Buffer.from(text)];
  return decoders.some((decode) => toComparable(decode(bytes)) === shown);
}

function toComparable(text: string): string {
  return text.replace(lostBytes, '').trim();
}

/**
 * Why a new text is ruined: letters were lost, or were UTF-8 that was read in another encoding. In names, a question mark
 * stands for a lost letter; in other texts, people write them. What `current` has, too, is not new.
 */
export function findRuin(value: unknown, current: unknown, isName: boolean): UnclearCell | undefined {
  const [text, present] = [value, current].map((one) => (Array.isArray(one) ? one.join(' ') : (one ?? '')));
  if (typeof text !== 'string' || !/[^\0-\x7f]|\?/.test(text) || hasLostLetters(text, present))
    return undefined;
  for (const word of text.split(/[\0- ]+/)) {
    if (String(present).includes(word)) continue;
    const isLost = word.includes('\uFFFD') || (isName && /(?:^|[\p{L}'’-])\?+\p{L}/u.test(word));
    if (isLost)
      return new UnclearCell(`"${word}" has lost a letter: correct it, or save the sheet again as UTF-8.`);
    const meant = /[^\0-\x7f]{2}/.test(word) ? readAsUtf8(word, isName) : undefined;
    if (meant !== undefined)
      return new UnclearCell(
        `"${word}" was read in a wrong encoding and may be "${meant}": save the sheet again as UTF-8.`,
      );
  }
  return undefined;
}

/**
 * Whether letters of a text were replaced by question marks, as some spreadsheet programs do when they save a CSV in
 * an encoding without them: `Jiří` becomes `Ji?í`. An emoji may become one or two question marks.
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

let tables: readonly ReadonlyMap<string, number>[] | undefined;
const utf8 = new TextDecoder();

/** The word that was meant, if some of its letters are the UTF-8 of others; undefined for one that may be right. */
function readAsUtf8(word: string, isName: boolean): string | undefined {
  tables ??= readableDecoders.map(
    (decode) =>
      new Map(Array.from({ length: 128 }, (_, index) => [decode(Buffer.from([128 + index])), 128 + index])),
  );
  const readings = tables.map((bytes) =>
    word.replace(/[^\0-\x7f]{2,}/g, (run, at: number) => {
      const meant = Uint8Array.from(run, (letter) => bytes.get(letter) ?? 0xff);
      if (!isUtf8(meant)) return run;
      const letters = utf8.decode(meant);
      const [before, after] = [word.slice(0, at), word.slice(at + run.length)];
      return isLikely(run, letters, { before, after, isName }) ? letters : run;
    }),
  );
  // The shortest has most letters read.
  return readings.filter((meant) => meant !== word).sort((one, other) => one.length - other.length)[0];
}

const letters = String.raw`\u00A0-\u017F\u1E00-\u1EFF\u2010-\u203A\u20AC\u2122\uFEFF\uFFFD`;
const latin = new RegExp(`^[${letters}]+$`);
/** One Greek or Cyrillic letter may be any two others: "Её" is not "Ÿ", nor "ðé" "Ђ". */
const plausible = new RegExp(`^(?:[${letters}]+|[${letters}\\u0218-\\u021B\\u0370-\\u04FF]{2,})$`);
const sign = /[‘’“”‚„–—…‹›«»™®\u00A0]$/;

function isLikely(
  run: string,
  meant: string,
  { before, after, isName }: { readonly before: string; readonly after: string; readonly isName: boolean },
): boolean {
  if (!plausible.test(meant)) return false;
  const rest = before + after;
  // A word in another alphabet, such as "Ді".
  if (
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}]/u.test(run) &&
    !/[a-z]/i.test(rest) &&
    latin.test(meant)
  )
    return false;
  if (/\p{Ll}/u.test(rest)) return true;
  // In capitals: DEVÄŤ and CÂŞTIG are words, and AMANHÃ… and »BLÅ« end with signs.
  const isWord = /^\p{Lu}+$/u.test(run) && !/^[\p{Lu}ß]+$/u.test(meant);
  return !isWord && (isName || !sign.test(run) || /\p{L}/u.test(after));
}
