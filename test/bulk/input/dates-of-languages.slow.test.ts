import { describe, expect, it } from 'vitest';
import { createColumnDates } from '../../../src/bulk/input/local-dates.ts';
import { createZoneClock } from '../../../src/time/time.ts';

const clock = createZoneClock('UTC');
const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const pairs = letters.flatMap((one) => letters.map((two) => one + two));
const ours = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl'];
const isKnown = (locale: string) => new Intl.DateTimeFormat(locale).resolvedOptions().locale === locale;
const localesOf = (language: string) => [
  language,
  ...pairs.map((pair) => `${language}-${pair.toUpperCase()}`).filter(isKnown),
];
const others = [...pairs, ...pairs.flatMap((pair) => letters.map((letter) => pair + letter))]
  .filter((language) => !ours.includes(language) && isKnown(language))
  .filter((language) => new Intl.DateTimeFormat(language).resolvedOptions().numberingSystem === 'latn');

const months = Array.from({ length: 12 }, (_, index) => index + 1);
const isoDay = (month: number) => `1984-${String(month).padStart(2, '0')}-25`;

/** How a language writes the 25th of each month: with its word for the month in dates, and the one that stands alone. */
function writeDays(locale: string): { text: string; month: number }[] {
  return (['long', 'short'] as const).flatMap((style) => {
    const options = { timeZone: 'UTC', calendar: 'gregory', month: style } as const;
    const date = new Intl.DateTimeFormat(locale, { ...options, day: 'numeric', year: 'numeric' });
    const alone = new Intl.DateTimeFormat(locale, options);
    return months.flatMap((month) => {
      const ms = Date.UTC(1984, month - 1, 25);
      const texts = [date.format(ms), `25 ${alone.format(ms)} 1984`, `25. ${alone.format(ms)} 1984`];
      return texts.map((text) => ({ text, month }));
    });
  });
}

function readDay(text: string): unknown {
  return createColumnDates(clock).toDay(text, 'birthday', null);
}

describe('a birthday with the word for its month', () => {
  it.each(ours)('is read as every country with the language %s writes it', (language) => {
    for (const locale of localesOf(language)) {
      for (const { text, month } of writeDays(locale)) {
        // Croats write these with a dot, for another month.
        if (/25\. (?:listopada?|lip|lis) /.test(text)) expect(readDay(text), text).toBe(text);
        else if (!/\d[./-]\d/.test(text)) expect(readDay(text), `${text} (${locale})`).toBe(isoDay(month));
      }
    }
  });

  it('is read without accents, with any case, and with and without a dot', () => {
    const texts = ['25 DECEMBRE 1984', '25 déc 1984', '25. dez. 1984', '25 grudzień 1984', '25-Dic-1984'];
    expect(texts.map(readDay)).toEqual(texts.map(() => isoDay(12)));
  });

  /** Words of theirs that are words of ours for another month. Nobody can tell which language they are. */
  const sameWords: Readonly<Record<string, string>> = {
    bas: 'may',
    dua: 'may',
    lu: 'lut',
    mfe: 'out',
    st: 'jan',
    teo: 'mar',
    hr: 'listopad|listopada|lip|lis',
  };

  it.each(others)('is never read as another month in the language %s', (language) => {
    const same = new RegExp(`\\b(?:${sameWords[language] ?? '-'})\\b`, 'i');
    for (const { text, month } of writeDays(language)) {
      const day = readDay(text);
      const isWrong = typeof day === 'string' && day !== text && day !== isoDay(month);
      if (isWrong && same.test(text.normalize('NFD').replace(/\p{M}/gu, ''))) continue;
      expect(isWrong ? day : undefined, text).toBe(undefined);
    }
  });
});

describe('a time as a country writes it', () => {
  const instants = [
    '2026-12-28T09:30:00Z',
    '2026-01-28T00:05:00Z',
    '2026-03-31T12:30:00Z',
    '2026-05-13T14:07:00Z',
  ];
  const now = new Date('2026-01-01T00:00:00Z');
  const styles = ['long', 'medium', 'short'] as const;

  it.each(ours)('is read with the language %s, however long it is', (language) => {
    for (const locale of localesOf(language)) {
      const write = (dateStyle: (typeof styles)[number], timeStyle: 'short' | 'medium', instant: string) =>
        new Intl.DateTimeFormat(locale, { dateStyle, timeStyle, timeZone: 'UTC' }).format(new Date(instant));
      for (const dateStyle of styles) {
        for (const timeStyle of ['short', 'medium'] as const) {
          const cells = instants.map((instant) => write(dateStyle, timeStyle, instant));
          const dates = createColumnDates(clock, { now });
          for (const cell of cells) dates.toInstant(cell, 'start_time', null);
          const found = cells.map((cell) => dates.toInstant(cell, 'start_time', null));
          expect(found, `${locale}: ${cells.join(' | ')}`).toEqual(instants);
        }
      }
    }
  });
});
