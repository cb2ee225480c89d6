import { foldText } from '../text/search-text.ts';
import { addMonths, renderDay, weekdayNames } from './local-days.ts';
import { dayMs, type ZoneClock } from './time.ts';
import {
  createFinder,
  findMonth,
  findWeekday,
  parseDate,
  readWeekday,
  toPlainWords,
} from './written-words.ts';

/** How often something is repeated. */
interface Interval {
  readonly count: number;
  readonly unit: Unit;
  /** The weekday that is repeated. Sunday is 0. */
  readonly weekday?: number | undefined;
}

type Unit = 'day' | 'week' | 'month';

/** What words say of a repeat. */
export interface Repeat extends Interval {
  readonly times: number | undefined;
  /** The last day, as typed. */
  readonly until: string | undefined;
}

// All in plain words of the eight languages. CLDR knows the units, weekdays and months.
const every =
  '(?:every|each|alle|jede[nrs]?|chaque|tou(?:te)?s les|(?:a )?cada|tod[oa]s?(?: [lo]?[oa]s)?|ogni|tutt[ie] (?:i|gli|le)|elke?|iedere?|co|kazd(?:y|a|e|ego|ej))';
const intervals = [
  new RegExp(`^(?:(?:on|we?) )?(?:${every}|(?<other>om de)) (?:(?<number>[\\da-z]+)\\.? )?(?<what>[a-z-]+)$`),
  /^une? (?<what>[a-z]+) sur (?<number>[\da-z]+)$/,
  /^de (?<number>[\da-z]+) em \k<number> (?<what>[a-z]+)$/,
  /^(?:(?:on|immer) )?(?<what>[a-z]+(?:day|tag))s$/,
];
const adverbs = {
  day: 'daily|taglich|tagig|dagelijks|diariamente|quotidiennement|codziennie',
  week: 'weekly|wochentlich|wochig|wekelijks|semanal(?:mente)?|settimanalmente|hebdomadaire',
  month: 'monthly|monatlich|maandelijks|mensual(?:mente)?|mensuel|mensalmente|mensilmente',
} as const;
const fortnightly =
  /^(?:(?:(?:every|each) )?fortnight(?:ly)?|quin[zc]enal(?:mente)?|semana sim semana nao|una semana si y otra no|una settimana si e una no|a settimane alterne)$/;
const numbers = [
  '2 two|second|other|zwei|(?:zweite|andere)[nrs]?|deux(?:ieme)?|dos|segund[oa]|due|second[oa]|dois|duas|twee(?:de)?|dwa|drug[ia]',
  '3 three|third|drei|dritte[nrs]?|trois(?:ieme)?|tres|tercer[oa]?|tre|terz[oa]|terceir[oa]|drie|derde|trzy|trzecia?',
  '4 four(?:th)?|vier(?:te[nrs]?|de)?|quatre|quatrieme|cuatro|cuart[oa]|quattro|quatro|quart[oa]|cztery|czwart[ya]',
  '5 five|funf|cinq|cinco|cinque|vijf|piec',
  '6 six(?:th)?|sechs(?:te[nrs]?)?|seis?|sext[oa]|sest[oa]|zes(?:de)?|szesc|szost[ya]',
  '8 eight|acht|huit|ocho|otto|oito|osiem',
  '10 ten|zehn|dix|diez|dieci|dez|tien|dziesiec',
  '12 twelve|zwolf|douze|doce|dodici|doze|twaalf|dwanascie',
  '14 vierzehn|veertien',
  '15 quin[zc]e|quindici',
].map((row) => row.split(' '));
const timesPattern =
  /^(?:(?<number>[\da-z]+?) ?(?:times?|[x×]|mal|fois|vez|veces|volt[ae]|vezes|keer|maal|razy|raz)|[x×] ?(?<after>\d{1,5}))$/;
const until =
  /^(?:(?:up )?until|till?|through|thru|up to|bis(?: zu[mr]?)?|jusqu(?:a la|au?|en)|hasta(?: el| la)?|fino (?:al?|alla)|ate(?: [oa]o?)?|tot(?: en met)?(?: het)?|t\/m|do) (?<day>.+)$/;

/** Units of time by their names in the eight languages. */
const findUnit = createFinder((locale) => {
  const words = new Map<string, Unit>();
  for (const unit of ['day', 'week', 'month'] as const) {
    const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
    for (const count of [1, 2, 5, 1.5]) {
      const name = format.formatToParts(count).find(({ type }) => type === 'unit')?.value ?? '';
      words.set(foldText(name), unit);
    }
  }
  return words;
});

function readNumber(word: string): number | undefined {
  const digits = /^(\d{1,5})(?:st|nd|rd|th|e|[oa])?$/.exec(word)?.[1];
  if (digits !== undefined) return Number(digits);
  const row = numbers.find(([, words]) => new RegExp(`^(?:${words})$`).test(word));
  return row && Number(row[0]);
}

/** Reads `every 4 weeks`, `every second tuesday`, `fridays` or `monthly`; undefined for any other text. */
function readInterval(text: string): Interval | undefined {
  if (fortnightly.test(text)) return { count: 2, unit: 'week' };
  for (const unit of ['day', 'week', 'month'] as const) {
    const found = new RegExp(`^(?:([\\da-z]+?)-?)?(?:${adverbs[unit]})$`).exec(text);
    const count = found && readNumber(found[1] ?? '1');
    if (count) return { count, unit };
  }
  const parts = intervals.map((form) => form.exec(text)?.groups).find(Boolean);
  const { what, other, number = other === undefined ? '1' : '2' } = parts ?? {};
  const count = readNumber(number);
  if (what === undefined || !count) return undefined;
  // A fortnight has 15 days in the south, and a week 8; in German, too.
  if (/^(?:8 (?:jours|dias|giorni|tage)|15 (?:jours|dias|giorni))$/.test(`${count} ${what}`))
    return { count: count === 8 ? 1 : 2, unit: 'week' };
  // "Alle 4 sabato" is a time on a Saturday, and Co Mar a name.
  const languages = /^alle /.test(text) ? ['de'] : /^(?:we? )?(?:co|kazd.*) /.test(text) ? ['pl'] : undefined;
  const unit = findUnit(what, languages);
  if (unit !== undefined) return { count, unit };
  const weekday = findWeekday(what, languages) ?? findWeekday(what.replace(/s$/, ''), languages);
  return weekday === undefined ? undefined : { count, unit: 'week', weekday };
}

/**
 * Takes `every 4 weeks until june`, `8 times every second tuesday` and the like out of the words of a command line, in any
 * order and apart. The weekday is left there for the first date, unless the other words name a day. A word with blanks was
 * quoted, and stays as it is. Undefined unless the words say how often, and until when or how many times.
 */
export function takeRepeat(
  given: readonly string[],
  isDay: (text: string) => boolean,
): { readonly repeat: Repeat; readonly rest: readonly string[] } | undefined {
  const rest = [...given];
  const last = take((text) => {
    const { day } = until.exec(text)?.groups ?? {};
    return day !== undefined && isDay(day) ? day : undefined;
  });
  const times = take((text) => {
    const { number, after = number } = timesPattern.exec(text)?.groups ?? {};
    return after === undefined ? undefined : readNumber(after);
  });
  const found = findPhrase(rest, readInterval);
  if (found === undefined || (times === undefined && last === undefined)) return undefined;
  const { at, count, value } = found;
  rest.splice(at, count);
  const { weekday } = value;
  if (weekday !== undefined && findPhrase(rest, (text) => isDay(text) || undefined) === undefined)
    rest.splice(at, 0, weekdayNames[weekday] ?? '');
  // "Monthly fri 15:00" is no date, and would be other weekdays.
  const isDated = value.unit !== 'month' || findPhrase(rest, parseDate) !== undefined;
  const named = isDated ? undefined : findPhrase(rest, readWeekday)?.value;
  return { repeat: { ...value, weekday: weekday ?? named, times, until: last }, rest };

  function take<Value>(read: (text: string) => Value | undefined): Value | undefined {
    const phrase = findPhrase(rest, read);
    if (phrase !== undefined) rest.splice(phrase.at, phrase.count);
    return phrase?.value;
  }
}

/** Where words say how often something is done, but not as `takeRepeat` needs it; undefined for others, such as names. */
export function findRepeatProblem(
  words: readonly string[],
): { readonly at: number; readonly message: string } | undefined {
  const unclear = words.findIndex((word) => /^bi-?weekly$/i.test(word));
  if (unclear >= 0)
    return { at: unclear, message: `"${words[unclear]}" may be twice a week or every two weeks.` };
  const found = findPhrase(words, readInterval);
  const at = found?.at ?? words.slice(0, -1).findIndex((word) => /^(?:every|each)$/i.test(word));
  if (at < 0) return undefined;
  if (found === undefined)
    return { at, message: `How often, and until when, is not understood in "${words.join(' ')}".` };
  const rest = words.slice(at + found.count);
  const last = until.exec(toPlainWords(rest.join(' ')))?.groups?.['day'];
  const isAdverb = found.count === 1 && found.value.weekday === undefined;
  // "Daily" may begin a name.
  if (isAdverb && rest.length > 0 && last === undefined) return undefined;
  const interval = words.slice(at, at + found.count).join(' ');
  const end = last === undefined ? '' : rest.slice(-last.split(' ').length).join(' ');
  const message = end
    ? `"${end}" is not a day or month until which to repeat.`
    : `"${interval}" needs an end: a day, a month or a number of times.`;
  return { at, message };
}

/** The first phrase that is read, as long as possible. */
function findPhrase<Value>(words: readonly string[], read: (text: string) => Value | undefined) {
  for (const at of words.keys()) {
    for (let end = Math.min(words.length, at + maxWords); end > at; end -= 1) {
      const phrase = words.slice(at, end);
      const isQuoted = phrase.some((word) => /\s/.test(word));
      const value = isQuoted ? undefined : read(toPlainWords(phrase.join(' ')).trim());
      if (value !== undefined) return { at, count: end - at, value };
    }
  }
  return undefined;
}

const maxWords = 8;

const monthEnd =
  /^(?:the )?(?:(?:end|ende|fin|fines|final(?:es)?|fine|fim|einde?|konca) )?(?:(?:of|des|del?|di|van) )?([a-z]{3,})\.?(?: (?:del? )?(\d{4}))?$/;

/** Midnight after the last day of a month such as `june` or `juni 2027`, which is not before a day; undefined for others. */
export function readMonthEnd(text: string, sinceMs: number): number | undefined {
  const [, name = '', year] = monthEnd.exec(toPlainWords(text)) ?? [];
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
