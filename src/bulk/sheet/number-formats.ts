import { dayMs } from '../../time/time.ts';

/** What a cell shows for its number; undefined where that is less than the number: rounded, hidden, an amount. */
export type ShowNumber = (value: number) => string | undefined;

/** Formats that have numbers instead of codes: times of day, durations, days with a time, days. */
const numbered: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'h:mm': [18, 19, 20, 21, 32, 33, 45, 47],
    '[h]:mm:ss': [46],
    'd h:mm': [22],
    'd/m': [16],
    d: [14, 15, 17, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58],
  }).flatMap(([code, ids]) => ids.map((id) => [String(id), code] as const)),
);

/** Texts, escaped characters, fillings, and what is in brackets; other characters alone. */
const formatTokens = /"[^"]*"|[\\_*].|\[[^\]]*\]|./gsu;
/** A sign or an ISO code in quotes or brackets, or a sign alone. */
const currencySign = /^(?:["\\]|\[\$)? ?(\p{Sc}|[A-Z]{3}) ?(?:"|-[^\]]*\]|\])?$/u;
const zero = Symbol('zero');

/**
 * How cells with a number format are shown, by its number or its code: days and times in ISO form, durations as
 * `25:00`, whole numbers as spreadsheet programs show them if the format has only zeros, texts and blanks, and amounts with all
 * their digits and the currency. A day is `--05-15` if neither its year nor its weekday is shown: Excel adds the current year.
 */
export function parseNumberFormat(
  id: string,
  code: string | undefined,
  countsFrom1904: boolean,
): ShowNumber | undefined {
  const sections: string[][] = [[]];
  const tokens = (code ?? numbered.get(id) ?? '').match(formatTokens) ?? [];
  for (const token of tokens) token === ';' ? sections.push([]) : sections.at(-1)?.push(token);
  const [first = []] = sections;
  if (first.some((token) => /^\[(?:h+|m+|s+)\]$/i.test(token))) return toElapsed;
  const letters = first.filter((token) => token.length === 1).join('');
  const hasTime = /[hs]/i.test(letters);
  if (hasTime || /[ymd]/i.test(letters)) {
    const hasDay = !hasTime || /[yd]/i.test(letters);
    const hasYear = hasTime || !/d/i.test(letters) || !/m/i.test(letters) || /[ye]|d{3}/i.test(letters);
    return (value) => showDate(value, { hasDay, hasTime, hasYear, countsFrom1904 });
  }
  if (tokens.some((token) => /^\[(?:[<>=]|dbnum|natnum)/i.test(token))) return undefined;
  const currency = first.map((token) => currencySign.exec(token)?.[1]).find((sign) => sign !== undefined);
  if (currency !== undefined && /[0#?]/.test(letters)) return (value) => `${toAllDigits(value)} ${currency}`;
  const [shown, shownZero] = [first, sections[2] ?? first].map(toParts);
  if (shown === undefined) return undefined;
  return (value) => {
    const parts = value === 0 ? shownZero : shown;
    return parts && Number.isSafeInteger(value) && value >= 0 ? fillZeros(parts, value) : undefined;
  };
}

/** What a section shows; undefined if it has no zero, or anything but zeros, texts and blanks. */
function toParts(section: readonly string[]): readonly (string | typeof zero)[] | undefined {
  const parts = section.map(toPart).filter((part) => part !== undefined);
  return parts.includes(zero) && parts.length === section.length ? parts : undefined;
}

/** Undefined for money, which people enter as a number, and for what is no text. */
function toPart(token: string): string | typeof zero | undefined {
  if (token === '0') return zero;
  if (/^\[(?:\$-.*|black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\]$/i.test(token)) return '';
  if (token.startsWith('_')) return ' ';
  const found = /^"(.*)"$|^\\(.)$|^\[\$([^\]-]*)\]$|^([ ():+cfi-lo-rt-xz-])$/isu.exec(token);
  const text = found?.slice(1).find((one) => one !== undefined);
  return text !== undefined && /\p{Sc}/u.test(text) ? undefined : text;
}

/** The first zero stands for all digits that the others leave. */
function fillZeros(parts: readonly (string | symbol)[], value: number): string {
  const zeros = parts.filter((part) => part === zero).length;
  const digits = String(value).padStart(zeros, '0');
  const rest = digits.length - zeros + 1;
  const taken = [digits.slice(0, rest), ...digits.slice(rest)];
  return parts
    .map((part) => (part === zero ? taken.shift() : part))
    .join('')
    .trim();
}

/** `00:45`, or with seconds where there are any. */
export function toElapsed(value: number): string | undefined {
  const seconds = Math.round(value * 86_400);
  if (value < 0 || !Number.isSafeInteger(seconds)) return undefined;
  const parts = [seconds / 3600, (seconds / 60) % 60, ...(seconds % 60 === 0 ? [] : [seconds % 60])];
  return parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}

/** A number with all digits that programs show. */
export function toAllDigits(value: number): string {
  // Programs show 15 digits of 49.500000000000007, which they have calculated.
  if (!Number.isInteger(value)) return String(Number(value.toPrecision(15)));
  // Beyond 2^53 a program has saved other digits than were typed; all of them show it.
  return BigInt(value).toString();
}

/** An amount as formats show one: `1,234.50 €`, `CHF 45.00`, `(5)`, `-   €`, `4.93E+11`. */
const shownAmount =
  /^([-(]*[\p{L}\p{Sc}]*[-\s]*)((?:\d[\d.,'’\s]*)?)((?:E[+-]?\d+)?)([-\s]*[\p{L}\p{Sc}]*\)?)$/iu;

/** What is shown for a number, but an amount with all its digits: it may be rounded, with separators of any country. */
export function readShownNumber(shown: string, value: number): string {
  const [found, before = '', amount = '', exponent, after = ''] = shownAmount.exec(shown.trim()) ?? [];
  if (found === undefined || !Number.isFinite(value)) return shown;
  if (amount === '' && !/^$|-/.test(found)) return shown;
  if (amount === '') return `${toAllDigits(value)} ${found.replace(/[-\s]/g, '')}`.trim();
  const [fraction = ''] = /(?<=[.,])\d+$/.exec(amount.trim()) ?? [];
  const isRounded = [0, fraction.length].some(
    (decimals) => Math.abs(value).toFixed(decimals).replace('.', '') === amount.replace(/\D/g, ''),
  );
  if (!isRounded && exponent === '') return shown;
  const [, blank = ''] = /(\s*)$/.exec(amount) ?? [];
  return before + toAllDigits(Math.abs(value)) + blank + after;
}

/** `1985-05-15` or `2026-11-24 10:00` for the local time `1985-05-15T00:00:00.000`; others unchanged. */
export function toLocalTime(text: string): string {
  const [, day, time = ''] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?$/.exec(text.trim()) ?? [];
  if (day === undefined) return text;
  const shown = time.replace(/\.0+$/, '').replace(/^(\d\d:\d\d):00$/, '$1');
  if (/^1899-12-3[01]$/.test(day)) return shown;
  return shown === '' || shown === '00:00' ? day : `${day} ${shown}`;
}

/** The number that stands for the local time of an XML Spreadsheet; not a number for other texts. */
export function toSerial(localTime: string, countsFrom1904: boolean): number {
  const days = (Date.parse(`${localTime.trim()}Z`) - Date.UTC(1899, 11, 31)) / dayMs;
  if (countsFrom1904) return days - 1461;
  return days < firstCertain - 1 ? days : days + 1;
}

/** 31 December 9999. */
const lastDay = 2_958_465;
/** 1 March 1900. Of the days before, programs disagree: for Excel, 1900 is a leap year. */
const firstCertain = 61;

function showDate(
  value: number,
  format: {
    readonly hasDay: boolean;
    readonly hasTime: boolean;
    readonly hasYear: boolean;
    readonly countsFrom1904: boolean;
  },
): string | undefined {
  const { hasDay, hasTime, hasYear, countsFrom1904 } = format;
  // A format for times of day shows only what a sum of hours has beyond whole days.
  if (value < (hasDay ? 1 : firstCertain) && (value > 0 || hasTime)) return toElapsed(value);
  if (!countsFrom1904 && value < firstCertain) return ['1900-01-00', '1900-01-01', '1900-01-01'][value];
  if (!(value >= 0 && value < lastDay + 1)) return undefined;
  const startMs = countsFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const date = new Date(startMs + Math.round(value * dayMs));
  const [day = '', time = ''] = date.toISOString().slice(0, -1).split('T');
  const shown = time.replace(/(?::00)?\.000$/, '');
  if (!hasYear && shown === '00:00') return `-${day.slice(4)}`;
  return hasTime || shown !== '00:00' ? `${day} ${shown}` : day;
}
