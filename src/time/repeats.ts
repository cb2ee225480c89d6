import { foldText } from '../text/search-text.ts';
import { addMonths, renderDay, weekdayNames } from './local-days.ts';
import { dayMs, type ZoneClock } from './time.ts';
import { findMonth, locales, toPlainWords } from './written-words.ts';

/** How often something is repeated. */
interface Interval {
  readonly count: number;
  readonly unit: keyof typeof units;
  /** The weekday that is repeated, in English. It is left among the other words, for the first date. */
  readonly weekday?: string | undefined;
}

/** What words say of a repeat. */
export interface Repeat extends Interval {
  readonly times: number | undefined;
  /** The last day, as typed. */
  readonly until: string | undefined;
}

// All in plain words of the eight languages.
const every =
  '(?:every|each|alle|jede[nrs]?|chaque|tou(?:te)?s les|(?:a )?cada|tod[oa]s?(?: [lo]?[oa]s)?|ogni|tutt[ie] (?:i|gli|le)|elke?|iedere?|om de|co|kazd[yae])';
const everyPattern = new RegExp(`^(?:on )?${every} (?:(?<number>[\\da-z]+)\\.? )?(?<what>[a-z-]+)$`);
const units = {
  day: /^(?:days?|tage?n?|jours?|dias?|giorn[oi]|dag(?:en)?|dzien|dni)$/,
  week: /^(?:weeks?|wochen?|semaines?|semanas?|settiman[ae]|weken|tydzien|tygodni[ae]?)$/,
  month: /^(?:months?|monate?n?|mois|mes(?:es|e|i)?|maand(?:en)?|miesiace?|miesiecy)$/,
} as const;
const numbers = [
  /^(?:two|second|other|zwei|(?:zweite|andere)[nrs]?|deux|deuxieme|dos|segund[oa]|due|second[oa]|dois|duas|twee|tweede|dwa|drugi|druga)$/,
  /^(?:three|third|drei|dritte[nrs]?|trois|troisieme|tres|tercer[oa]?|tre|terz[oa]|terceir[oa]|drie|derde|trzy|trzeci[a]?)$/,
  /^(?:four|fourth|vier|vierte[nrs]?|quatre|quatrieme|cuatro|cuart[oa]|quattro|quart[oa]|quatro|vierde|cztery|czwart[ya])$/,
];
const adverbs = [
  [1, 'day', /^(?:daily|taglich|dagelijks|diariamente|quotidiennement|codziennie)$/],
  [1, 'week', /^(?:weekly|wochentlich|wekelijks|semanal(?:mente)?|settimanalmente)$/],
  [2, 'week', /^(?:biweekly|fortnightly|(?:every|each) fortnight|quin[zc]enalmente)$/],
  [1, 'month', /^(?:monthly|monatlich|maandelijks|mensual(?:mente)?|mensalmente|mensilmente)$/],
] as const;
const timesPattern = /^(\d{1,5}) ?(?:times?|x|mal|fois|vez|veces|volt[ae]|vezes|keer|maal|razy|raz)$/;
const until =
  /^(?:until|till?|through|bis(?: zum?)?|jusqu(?:au?|en)|hasta(?: el)?|fino (?:al?|alla)|ate(?: [oa]o?)?|tot(?: en met)?|t\/m|do) (?<day>.+)$/;

let weekdays: ReadonlyMap<string, string> | undefined;

/** The English names of weekdays by those of the eight languages, in plain words. CLDR knows them. */
function readWeekdays(): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const locale of locales) {
    const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
    for (const [index, weekday] of weekdayNames.entries()) {
      const name = foldText(format.format(Date.UTC(2026, 0, 4 + index))).replace('-feira', '');
      words.set(name, weekday);
      // "Every Wednesday" is "każdą środę", whose name is "środa".
      if (locale === 'pl') words.set(name.replace(/a$/, 'e'), weekday);
      if (locale === 'en') words.set(name.slice(0, 3), weekday);
    }
  }
  return words;
}

function findWeekday(word: string): string | undefined {
  weekdays ??= readWeekdays();
  const plain = word.replace(/-feiras?$/, '');
  return weekdays.get(plain) ?? weekdays.get(plain.replace(/s$/, ''));
}

/** Reads `every 4 weeks`, `every second tuesday`, `fridays` or `monthly`; undefined for any other text. */
function readInterval(text: string): Interval | undefined {
  for (const [count, unit, words] of adverbs) if (words.test(text)) return { count, unit };
  const days = /^(?:on )?([a-z]+day)s$/.exec(text)?.[1];
  const { number, what = days } = everyPattern.exec(text)?.groups ?? {};
  if (what === undefined) return undefined;
  const named = numbers.findIndex((words) => words.test(number ?? ''));
  const digits = number === undefined ? '1' : /^(\d{1,3})(?:st|nd|rd|th|e|[oa])?$/.exec(number)?.[1];
  const count = named < 0 ? Number(digits) : named + 2;
  if (!(count >= 1)) return undefined;
  const unit = (['day', 'week', 'month'] as const).find((one) => units[one].test(what));
  // A fortnight has 15 days in the south, and a week 8.
  const weeks = /^(?:jours|dias|giorni)$/.test(what) ? [8, 15].indexOf(count) + 1 : 0;
  if (weeks > 0) return { count: weeks, unit: 'week' };
  if (unit !== undefined) return { count, unit };
  const weekday = findWeekday(what);
  return weekday === undefined ? undefined : { count, unit: 'week', weekday };
}

/**
 * Takes `every 4 weeks until june`, `8 times every second tuesday` and the like out of the words of a command line, in any
 * order and apart. A word with blanks was quoted, and stays as it is. Undefined for words that say nothing of it, or that
 * lack how often, or until when.
 */
export function takeRepeat(
  given: readonly string[],
  isDay: (text: string) => boolean,
): { readonly repeat: Repeat; readonly rest: readonly string[] } | undefined {
  const rest = [...given];
  const interval = take(readInterval, ({ weekday }) => weekday ?? []);
  if (interval === undefined) return undefined;
  const times = take((text) => timesPattern.exec(text)?.[1]);
  const last = take((text) => {
    const { day } = until.exec(text)?.groups ?? {};
    return day !== undefined && isDay(day) ? day : undefined;
  });
  if (times === undefined && last === undefined) return undefined;
  return {
    repeat: { ...interval, times: times === undefined ? undefined : Number(times), until: last },
    rest,
  };

  /** Takes the first phrase that is read, as long as possible. */
  function take<Value>(
    read: (text: string) => Value | undefined,
    leave: (value: Value) => string | readonly string[] = () => [],
  ): Value | undefined {
    for (const start of rest.keys()) {
      for (let end = Math.min(rest.length, start + maxWords); end > start; end -= 1) {
        const words = rest.slice(start, end);
        const value = words.some((word) => /\s/.test(word))
          ? undefined
          : read(toPlainWords(words.join(' ')).trim());
        if (value === undefined) continue;
        rest.splice(start, end - start, ...[leave(value)].flat());
        return value;
      }
    }
    return undefined;
  }
}

const maxWords = 8;

/** Midnight after the last day of a month such as `june` or `juni 2027`, which is not before a day; undefined for others. */
export function readMonthEnd(text: string, sinceMs: number): number | undefined {
  const [, name = '', year] =
    /^(?:the )?(?:end of )?([a-z]{3,})\.?(?: (?:de )?(\d{4}))?$/.exec(toPlainWords(text)) ?? [];
  const month = findMonth(name);
  if (month === undefined) return undefined;
  const since = new Date(sinceMs);
  const next = since.getUTCFullYear() + (month <= since.getUTCMonth() ? 1 : 0);
  return Date.UTC(Number(year ?? next), month);
}

const maxTimes = 52;
const maxMonths = 24;

/** One time of a repeat. A local time that the clocks skip has no instant; of a repeated one it is the first. */
export interface RepeatedStart {
  readonly localMs: number;
  readonly startMs: number | undefined;
}

/**
 * The times of a repeat, at the same local time as the first. Months without such a day have it on their last. What is
 * wrong with a repeat is a sentence: it has from 1 to 52 dates, all within two years.
 */
export function listRepeats(
  firstMs: number,
  { count, unit, times = Number.POSITIVE_INFINITY }: Repeat,
  { zone, nowMs, endMs = Number.POSITIVE_INFINITY }: RepeatLimits,
): readonly RepeatedStart[] | string {
  if (times === 0) return 'A repeat has at least 1 date.';
  const starts: RepeatedStart[] = [];
  const [first, furthestMs] = [zone.wall(firstMs), addMonths(zone.wall(nowMs), maxMonths)];
  for (let index = 0; index < times; index += 1) {
    const days = index * count * (unit === 'week' ? 7 : 1);
    const localMs = unit === 'month' ? addMonths(first, index * count) : first + days * dayMs;
    if (localMs >= endMs) break;
    if (localMs > furthestMs) return `A repeat ends within two years; ${renderDay(localMs)} is later.`;
    const startMs = index === 0 ? firstMs : zone.instants(localMs)[0];
    if (starts.push({ localMs, startMs }) > maxTimes) return `A repeat has at most ${maxTimes} dates.`;
  }
  return starts.length > 0 ? starts : `The last day is before the first, ${renderDay(first)}.`;
}

interface RepeatLimits {
  readonly zone: ZoneClock;
  readonly nowMs: number;
  /** Local midnight after the last day. */
  readonly endMs: number | undefined;
}
