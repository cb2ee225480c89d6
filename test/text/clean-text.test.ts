import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText } from '../../src/text/clean-text.ts';
import { nastyText } from '../cli/output/rows.ts';
import { countBySpeed } from '../support/speed.ts';

describe('cleanText', () => {
  it.each([
    ['colours', 'a\u001B[31mred', 'a␛[31mred'],
    ['a C1 sequence', '\u009B31m', '‹U+009B›31m'],
    ['a window title', '\u001B]0;owned\u0007', '␛]0;owned␇'],
    ['line ends', 'a\r\nb\tc', 'a␍⏎b␉c'],
    ['NUL and DEL', '\u0000\u007F', '␀␡'],
    ['a turned direction', '\u202Egpj.exe', '‹U+202E›gpj.exe'],
    ['isolates', '\u2066a\u2069', '‹U+2066›a‹U+2069›'],
    ['zero width', 'ad\u200Bmin\uFEFF', 'ad‹U+200B›min‹U+FEFF›'],
    ['a joiner outside of emoji', 'a\u200Db', 'a‹U+200D›b'],
    ['a joiner that joins nothing', '👩\u200D', '👩‹U+200D›'],
    ['a variation selector on a letter', 'a\uFE0F', 'a‹U+FE0F›'],
    ['hidden variation selectors', '葛\u{E0100}\u{E0101}', '葛\u{E0100}‹U+E0101›'],
    ['hidden tags', 'x\u{E0041}', 'x‹U+E0041›'],
    ['a blank letter', '\u3164', '‹U+3164›'],
    ['line separators', '\u2028\u2029', '‹U+2028›‹U+2029›'],
    ['an accent without a letter', '\u0301a \u0301', '◌\u0301a ◌\u0301'],
    ['half a character', '\uD83Dx', '‹U+D83D›x'],
  ])('makes %s visible', (_, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  it.each([
    'Zoë O’Connor',
    '佐藤 美咲',
    'الهاشمي',
    'नमस्ते',
    'e\u0301',
    '👩‍👩‍👧‍👦',
    '👩🏽‍🦰',
    '❤️‍🔥',
    '🏳️‍🌈',
    '1️⃣',
    '☎️',
    '🇩🇪',
    '葛\u{E0100}',
    '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
  ])('leaves %s as it is', (text) => {
    expect(cleanText(text)).toBe(text);
  });

  it('lets no control or direction character through, and changes nothing the second time', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        const clean = cleanText(text);
        expect(clean).not.toMatch(
          /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200B\u200C\u200E\u200F\u061C\u202A-\u202E\u2060-\u206F\uFEFF]/u,
        );
        expect(clean).not.toMatch(/\u200D(?!\p{Extended_Pictographic})/u);
        expect(cleanText(clean)).toBe(clean);
      }),
      { numRuns: countBySpeed(2000) },
    );
  });

  it.each(['👩\u200D', '🏴\u{E0067}', '\u001B', '1\uFE0F', '\u200D'])(
    'takes a time that grows with the length alone for %j again and again',
    (unit) => {
      const timed = (count: number) => {
        const start = process.cpuUsage();
        cleanText(unit.repeat(count));
        return process.cpuUsage(start).user;
      };
      timed(1000);
      // A tenfold length at a hundredfold cost would take half a minute here.
      expect(timed(100_000)).toBeLessThan(5_000_000);
    },
  );
});
