import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareNames, compareTexts, foldText, toSortKey } from '../../src/text/search-text.ts';

/**
 * Letters beside those of English, from the exemplar characters of CLDR 48: the main ones and, after a bar, the auxiliary
 * ones, which are those of names from abroad.
 */
const alphabets = {
  de: 'ä ö ß ü | á à ă â å ã ā æ ç é è ĕ ê ë ē ğ í ì ĭ î ï İ ī ı ñ ó ò ŏ ô ø ō œ ş ú ù ŭ û ū ÿ',
  en: '| á à ă â å ä ã ā æ ç é è ĕ ê ë ē í ì ĭ î ï ī ñ ó ò ŏ ô ö ø ō œ ú ù ŭ û ü ū ÿ',
  es: 'á é í ñ ó ú ü | ª º ý',
  fr: 'à â æ ç é è ê ë î ï ô œ ù û ü ÿ | á å ä ã ā ć ē í ì ī ĳ ñ ó ò ö õ ø ř š ſ ß ú ǔ',
  it: 'à é è ì ò ù | ª á â å ä ã æ ç ê ë í î ï ñ º ó ô ö õ ø œ ß ú û ü ÿ',
  nl: 'á ä é ë í ï ij ij́ ó ö ú ü | à â å ã æ ç è ê î ñ ô ø œ ù û ý ÿ',
  pl: 'ą ć ę ł ń ó ś ź ż | à â å ä æ ç é è ê ë î ï ô ö œ ß ù û ü ÿ',
  pt: 'á à â ã ç é ê í ó ò ô õ ú | ª ă å ä ā æ è ë ñ º ö ø ō œ ü ÿ',
  az: 'ç ə ğ ı İ ö ş ü',
  bs: 'č ć dž đ lj nj š ž',
  ca: 'à ç é è í ï ó ò ú ü | á ă â å ä ã ā æ ĕ ê ë ē ì ĭ î ī ŀ ñ º ŏ ô ö ø ō œ ù ŭ û ū ÿ',
  cs: 'á č ď é ě í ň ó ř š ť ú ů ý ž | ł ľ ŕ',
  cy: 'á à â ä é è ê ë í ì î ï ó ò ô ö ú ù û ü ẃ ẁ ŵ ẅ ý ỳ ŷ ÿ',
  da: 'æ ø å | ǿ',
  et: 'š ž õ ä ö ü',
  eu: 'ç ñ',
  fi: 'š ž å ä ö | ą ć č ċ đ ð ě ė ę ğ ǧ ģ ǥ ȟ ħ ı į ǩ ķ ĺ ľ ļ ł ń ň ņ ŋ ő ŕ ř ś ŝ ş ș ß ť ţ ț ŧ ů ű ų ź ż ʒ ǯ þ',
  fo: 'á ð í ó ú ý æ ø',
  ga: 'á é í ó ú | å ḃ ċ ḋ ḟ ġ ṁ ṗ ṡ ṫ',
  haw: 'ā ē ī ō ū ʻ',
  hr: 'č ć dž đ lj nj š ž',
  hu: 'á é í ó ö ő ú ü ű',
  is: 'á ð é í ó ú ý þ æ ö',
  kl: 'æ ø å | ã ê ẽ í î ĩ ĸ ũ',
  lt: 'ą č ę ė į š ų ū ž | ą́ ą̃ ė́ i̇́ i̇̀ j̃ j̇̃ l̃ m̃ r̃ ū̃',
  lv: 'ā č ē ģ ī ķ ļ ņ š ū ž | ō ŗ',
  mt: 'à ċ è ġ għ ħ ì ò ù ż',
  nb: 'à é ó ò ô æ ø å | á ǎ ã č ç đ è ê í ń ñ ŋ š ŧ ú ü ž ä ö',
  ro: 'ă â î ș ț | ş ţ',
  se: 'á č đ ŋ š ŧ ž',
  sk: 'á ä č ď é í ĺ ľ ň ó ô ŕ š ť ú ý ž',
  sl: 'č š ž | ć đ',
  sq: 'ç ë',
  'sr-Latn': 'č ć dž đ lj nj š ž',
  sv: 'à é å ä ö',
  tk: 'ç ä ž ň ö ş ü ý',
  tr: 'ç ğ ı İ ö ş ü',
  uz: 'oʻ gʻ ʼ',
  vi: 'ă â đ ê ô ơ ư ả ã á ạ ằ ẳ ẵ ắ ặ ầ ẩ ẫ ấ ậ ẻ ẽ ẹ ề ể ễ ế ệ ỉ ĩ ị ỏ õ ọ ồ ổ ỗ ố ộ ờ ở ỡ ớ ợ ủ ũ ụ ừ ử ữ ứ ự ỷ ỹ ỵ',
};

const root = new Intl.Collator('en');
const base = new Intl.Collator('en', { sensitivity: 'base' });

/** The plain letters of each rule for a letter of CLDR's Latin-ASCII that Unicode does not decompose. */
const transliterations = {
  ...{
    ß: 'ss',
    æ: 'ae',
    ð: 'd',
    ø: 'o',
    þ: 'th',
    đ: 'd',
    ħ: 'h',
    ı: 'i',
    ĸ: 'q',
    ł: 'l',
    ŋ: 'n',
    œ: 'oe',
    ŧ: 't',
  },
  ...{ ƒ: 'f', ƙ: 'k', ƴ: 'y', ƶ: 'z', ǥ: 'g', ɓ: 'b', ɖ: 'd', ɗ: 'd', ɛ: 'e', ɨ: 'i', ʉ: 'u', ʋ: 'v' },
  ...{ ŀ: 'l', ŉ: 'n', ſ: 's', ĳ: 'ij', ǆ: 'dz', ǉ: 'lj', ǌ: 'nj' },
};

describe('the key of a text', () => {
  it.each(Object.entries(alphabets))('has only letters of English for the alphabet of %s', (_, letters) => {
    for (const letter of letters.split(/[ |]+/).filter(Boolean)) {
      for (const form of [letter, letter.toUpperCase(), letter.normalize('NFD')]) {
        expect([form, toSortKey(`x${form}x`)]).toEqual([form, expect.stringMatching(/^x[a-z]{0,2}x$/)]);
      }
    }
  });

  it.each(Object.entries(transliterations))(
    'of %s is that of %s, as CLDR transliterates it',
    (letter, plain) => {
      expect(toSortKey(letter)).toBe(plain);
    },
  );

  it('of one letter is the letter that it is, or that it follows, in the root collation', () => {
    const letters = new Set(Object.values(alphabets).flatMap((text) => text.split(/[ |]+/)));
    for (const letter of [...letters, 'ɣ', 'ɔ'].filter(
      (one) => one !== 'þ' && /^\p{Script=Latin}\p{M}*$/u.test(one),
    )) {
      const key = toSortKey(letter);
      const last = [...'abcdefghijklmnopqrstuvwxyz'].findLast((plain) => root.compare(plain, letter) <= 0);
      if (base.compare(letter, key) !== 0) expect([letter, key]).toEqual([letter, last]);
    }
  });

  it.each([
    ['Serbian', 'абвгдђежзијклљмнњопрстћуфхцчџш'],
    ['Macedonian', 'абвгдежзѕијклљмнњопрстуфхцчџш'],
    ['Ukrainian', 'абвгґдеєжзиіклмнопрстуфхцчшщьюя'],
    ['Belarusian', 'абвгдежзіклмнопрстуфхцчшыьэюя'],
    ['Russian', 'абвгдежзиклмнопрстуфхцчшщъыьэюя'],
    ['Kazakh', 'аәбвгғдежзикқлмнңоөпрстуұүфхһцчшщъыьэюя'],
    ['Tatar', 'аәбвгдежҗзиклмнңоөпрстуүфхһцчшщъыьэюя'],
    ['Greek', 'αβγδεζηθικλμνξοπρστυφχψω'],
    ['Georgian', 'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ'],
    ['Arabic', 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'],
    ['Persian', 'ابپتثجچحخدذرزژسشصضطظعغفقکگلمنهوی'],
  ])('keeps the order of the %s letters, whatever follows them', (_, letters) => {
    const [first, last] = [letters[0], letters.at(-1)];
    const sorted = [...letters].toSorted(root.compare);
    const words = sorted.flatMap((letter) => [letter, letter + first, letter + last, letter + last + last]);
    expect(words.toSorted((one, other) => compareTexts(toSortKey(one), toSortKey(other)))).toEqual(words);
  });

  it('is short and well-formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
        const key = toSortKey(text);
        expect(key.length).toBeLessThanOrEqual(64);
        expect(key.isWellFormed()).toBe(true);
        expect(toSortKey(foldText(text))).toBe(key);
      }),
    );
  });
});

describe('the order of names', () => {
  it('has each where people look for it', () => {
    const names = [
      ...[
        'Abel',
        'Ærø',
        'Åkesson',
        'Əliyev',
        'Đorđević',
        'Dragić',
        'Ercan',
        'Ibsen',
        'Işık',
        'Ivanov',
        'Lévy',
      ],
      ...["O'Brien", 'Obst', 'Łukasik', 'Lyon', 'Muller', 'Müller', 'Öberg', 'Ødegård', 'Strauss', 'Strauß'],
      ...['Thorn', 'Þórsson', 'Zander', '\u{20bb7}田'],
    ];
    expect(names.toReversed().sort(compareNames)).toEqual([
      ...[
        'Abel',
        'Ærø',
        'Åkesson',
        'Đorđević',
        'Dragić',
        'Əliyev',
        'Ercan',
        'Ibsen',
        'Işık',
        'Ivanov',
        'Lévy',
      ],
      ...['Łukasik', 'Lyon', 'Muller', 'Müller', 'Öberg', "O'Brien", 'Obst', 'Ødegård', 'Strauss', 'Strauß'],
      ...['Thorn', 'Þórsson', 'Zander', '\u{20bb7}田'],
    ]);
  });

  it('is that of the bytes of a database', () => {
    const text = fc.string({ unit: 'binary', maxLength: 4 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const bytes = Buffer.compare(Buffer.from(one), Buffer.from(other));
        expect(Math.sign(compareTexts(one, other))).toBe(bytes);
        expect(compareNames(one, other)).toBe(-compareNames(other, one) + 0);
      }),
      { examples: [['\u{20bb7}', '\ufa11']] },
    );
  });
});
