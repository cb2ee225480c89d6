import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRuin, hasLostLetters, isMojibakeOf } from '../../../src/bulk/input/ruined-text.ts';

function explainRuin(text: string, present: string, isName: boolean): string | undefined {
  return findRuin(text, present, isName)?.reason;
}

describe('UTF-8 that was read as Windows-1252', () => {
  it('is seen, whether or not the program kept bytes without letters', () => {
    const unit = fc.constantFrom('a', 'ë', 'ß', 'à', '€', '陽', 'Á', 'Я', '😀', ' ');
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1 }), (text) => {
        const shown = new TextDecoder('windows-1252').decode(Buffer.from(text));
        const isSame = shown === text;
        expect(isMojibakeOf(text, shown)).toBe(!isSame);
        expect(isMojibakeOf(text, shown.replace(/[\u0080-\u009F]/g, ''))).toBe(!isSame);
      }),
    );
  });

  it.each([
    ['Zoë', 'Zoë'],
    ['Zoë', 'Zo'],
    ['Zoë', 'ZoÃ¨'],
    ['Ana', 'Ä'],
    ['', 'Ã'],
  ])('of %j is not %j', (text, cell) => {
    expect(isMojibakeOf(text, cell)).toBe(false);
  });
});

describe('a name whose UTF-8 was read in another encoding', () => {
  const names = ['Inès', 'Łukasz', 'Žofie', 'Gülşen', 'Nguyễn', 'Jörg', 'O’Neill'];

  it.each([
    ['Windows-1252', ['InÃ¨s', undefined, 'Å½ofie', 'GÃ¼lÅŸen', 'Nguyá»…n', 'JÃ¶rg', 'Oâ€™Neill']],
    ['Windows-1250', ['InĂ¨s', undefined, 'Ĺ˝ofie', 'GĂĽlĹźen', 'Nguyá»…n', 'JĂ¶rg', 'Oâ€™Neill']],
    ['Mac Roman', ['In√®s', '≈Åukasz', '≈Ωofie', 'G√ºl≈üen', 'Nguy·ªÖn', 'J√∂rg', 'O‚ÄôNeill']],
    ['code page 437', ['In├¿s', '┼üukasz', '┼╜ofie', 'G├╝l┼ƒen', 'Nguyß╗àn', 'J├╢rg', 'OΓÇÖNeill']],
    ['code page 850', ['In├¿s', '┼üukasz', '┼¢ofie', 'G├╝l┼ƒen', 'Nguyß╗àn', 'J├Ârg', 'OÔÇÖNeill']],
    ['code page 852', ['In├Ęs', '┼üukasz', '┼Żofie', 'G├╝l┼čen', 'Nguyß╗ůn', 'J├Ârg', 'OÔÇÖNeill']],
    ['Windows-1251', ['InГЁs', 'ЕЃukasz', 'ЕЅofie', 'GГјlЕџen', 'Nguyб»…n', 'JГ¶rg', 'OвЂ™Neill']],
    ['Windows-1253', ['InΓ¨s', undefined, 'Ε½ofie', undefined, 'Nguyα»…n', 'JΓ¶rg', 'Oβ€™Neill']],
    ['code page 866', ['In├иs', '┼Бukasz', '┼╜ofie', 'G├╝l┼Яen', 'Nguyс╗Еn', 'J├╢rg', 'OтАЩNeill']],
    ['ISO 8859-2', ['InĂ¨s', 'Ĺ\u0081ukasz', 'Ĺ˝ofie', 'GĂźlĹ\u009fen', undefined, 'JĂśrg', undefined]],
    [
      'ISO 8859-1',
      ['InÃ¨s', 'Å\u0081ukasz', 'Å½ofie', 'GÃ¼lÅ\u009fen', 'Nguyá»\u0085n', 'JÃ¶rg', 'Oâ\u0080\u0099Neill'],
    ],
  ])('is named, and known as the current one: %s', (encoding, shown) => {
    for (const [index, name] of names.entries()) {
      const cell = shown[index];
      // The encoding lacks one of its bytes.
      if (cell === undefined) continue;
      expect(explainRuin(cell, '', true), cell).toContain(`"${cell}" was read in a wrong encoding`);
      // The others differ from one another in few letters.
      if (/^(?:Windows|Mac)/.test(encoding))
        expect(explainRuin(cell, '', true)).toContain(`may be "${name}"`);
      expect(isMojibakeOf(name, cell), cell).toBe(true);
      expect(isMojibakeOf('Ana', cell)).toBe(false);
    }
  });
});

describe('a name whose UTF-8 was read in the encoding of another country', () => {
  it.each([
    ['Turkey', 'windows-1254', 'GÃ¼lÅŸen', 'Gülşen', true],
    ['Israel', 'windows-1255', 'Jֳ¶rg', 'Jörg', true],
    ['Arabia', 'windows-1256', 'Jأ¶rg', 'Jörg', true],
    ['Russia, on Unix', 'koi8-r', 'Jц╤rg', 'Jörg', true],
    ['the Baltics', 'windows-1257', 'JĆ¶rg', 'Jörg', false],
    ['Vietnam', 'windows-1258', 'JĂ¶rg', 'Jörg', true],
    ['Thailand', 'windows-874', 'Jรถrg', 'Jörg', false],
    ['Europe', 'iso-8859-15', 'KÃ€the', 'Käthe', true],
    ['Turkey, in DOS', 'cp857', 'J├Ârg', 'Jörg', true],
    ['China', 'gbk', 'J枚rg', 'Jörg', false],
    ['Taiwan', 'big5', 'J繹rg', 'Jörg', false],
    ['Japan', 'shift_jis', 'Jﾃｶrg', 'Jörg', false],
    ['Korea', 'euc-kr', 'J철rg', 'Jörg', false],
  ])('is known as the current one: %s (%s)', (_, __, shown, name, isNamed) => {
    expect(isMojibakeOf(name, shown)).toBe(true);
    expect(explainRuin(shown, '', true) !== undefined).toBe(isNamed);
  });
});

describe('a ruined text', () => {
  it.each([
    ['JÃ¶rg', '"JÃ¶rg" was read in a wrong encoding and may be "Jörg'],
    ['fÃ¤rbt gern', '"fÃ¤rbt" was read in a wrong encoding and may be "färbt"'],
    ['MÃœLLER', '"MÃœLLER" was read in a wrong encoding and may be "MÜLLER"'],
    ['WEIÃŸ', '"WEIÃŸ" was read in a wrong encoding and may be "WEIß"'],
    ['bei 50Â° spÃ¼len', '"50Â°" was read in a wrong encoding and may be "50°"'],
    ['isnâ€™t', '"isnâ€™t" was read in a wrong encoding and may be "isn’t"'],
    ['JÃƒÂ¶rg', '"JÃƒÂ¶rg" was'],
    ['Ð\u0090Ð½Ð½Ð°', 'may be "Анна"'],
    ['РђРЅРЅР°', 'may be "Анна"'],
    ['\uFFFDzt\uFFFDrk', '"\uFFFDzt\uFFFDrk" has lost a letter'],
    ['Ã¶zt\uFFFDrk', 'has lost a letter'],
  ])('%s is named', (text, reason) => {
    expect(explainRuin(text, '', false)).toContain(reason);
    expect(explainRuin(text, '', true)).toContain(reason);
    expect(explainRuin(`${text} neu`, text, true)).toBeUndefined();
  });

  it.each(['Ay?e', '?ukasz', 'W?jcik', 'Anna-?ofia', 'O’?eill', 'M??ller'])(
    '%s has lost a letter in a name, not in a note',
    (text) => {
      expect(explainRuin(text, '', true)).toContain(`"${text}" has lost a letter`);
      expect(explainRuin(text, '', false)).toBeUndefined();
    },
  );
});

describe('a text that is not ruined', () => {
  it.each([
    ...['João', 'JOÃO', 'SÃO', 'Ângela', 'ÂNGELA', 'CORAÇÃO', 'IRMÃ', 'Gonçalves', 'Conceição', 'ANTÔNIO'],
    ...['Müller', 'GRÖßE', 'Groß', 'Straße', 'Jäger', 'ÄRZTIN', 'Öztürk', 'Ünal', 'Şahin', 'Işık', 'AŞKIN'],
    ...['Łukasz', 'WÓJCIK', 'Żółć', 'ŻÓŁĆ', 'Śćegiennny', 'Źródło', 'Gżegżółka', 'Jiří', 'DVOŘÁK', 'Ťulpík'],
    ...['Šárka', 'DEVÄŤ', 'PÄŤ', 'Ľudovít', 'Kĺč', 'Băşescu', 'BĂŞESCU', 'CÂŞTIG', 'Ștefănescu', 'Țîru'],
    ...['Nguyễn', 'NGUYỄN', 'Đặng', 'ĐẶNG', 'Ngô Thị Ái', 'Bùi Đức Ấn', 'Þórður', 'Guðrún', 'Ægir', 'Ráðí'],
    ...[
      'Åsa',
      'ÅKE',
      'Øystein',
      'Bjørn',
      'BJÖRN',
      'SMÅØYAR',
      'Kõiv',
      'Jānis',
      'LIEPIŅA',
      'Žemaitė',
      'Kőrösi',
      'ŐSZ',
    ],
    ...[
      'Zoë',
      'Noël',
      'CHLOÉ',
      'Renée',
      'François',
      'FRANÇOIS',
      'D’ÎLE',
      'Œuvrard',
      'Niccolò',
      'Muñoz',
      'ÑANDÚ',
    ],
    ...[
      'Анна',
      'Её',
      'Ді',
      'Вікторія',
      'Гіта',
      'Юлія',
      'Ђорђе',
      'Ελένη',
      'ΟΊ',
      'Ώρα',
      'آھ',
      'Ёё',
      'أحمد',
      'گوگوش',
      'Šadí',
      'דוד',
      'محمد',
      '李',
      '김민준',
    ],
    ...['O’Neill', 'D’Angelo', 'Anna?', 'Zoe\u0308', '😀'],
  ])('%s is a name', (name) => {
    expect(explainRuin(name, '', true)).toBeUndefined();
  });

  it.each([
    ...[
      '«Ça va?»',
      'Who? When?',
      'was?wer',
      'https://example.com/?q=à&p=2',
      'a?b',
      '50°',
      'Nº 5',
      '2ª vez',
      'm²',
    ],
    ...[
      '„GRÜN“ – nicht „BLÅ“',
      'LIGAR AMANHÃ…',
      '“AMANHÃ”',
      '»BLÅ«',
      '«CAFÈ»',
      'Café…”',
      'CAFFÈ™',
      'È…',
      'À…',
      'NIVEÄ®',
    ],
    ...[
      '»öffnen«',
      '√ bezahlt',
      '≈ 5 cm',
      '│ Ansatz │',
      '── Farbe ──',
      '┌──┐',
      '€ 50',
      '½ Std.',
      '±3',
      '„Öl“',
      '—Été—',
    ],
    ...[
      'L’Oréal Nº 5 ½',
      'crème brûlée',
      'ÉTÉ',
      'ÎLE',
      'PÂTÉ',
      'MÂÇON',
      'À BIENTÔT…',
      'ça',
      '5 × 3',
      '„ÄÖÜ“',
      '‚ÄÖÜ‘',
    ],
  ])('%s is a note', (note) => {
    expect(explainRuin(note, '', false)).toBeUndefined();
  });
});

describe('hasLostLetters', () => {
  it.each([
    ['Ji?í', 'Jiří', true],
    ['??', '陽菜', true],
    ['Ana ??', 'Ana 💇', true],
    ['Ana ?', 'Ana 💇', true],
    ['Jiří', 'Jiří', false],
    ['Jiri', 'Jiří', false],
    ['Ji?a', 'Jiří', false],
    ['An?', 'Ana', false],
    ['Short?', 'Short!', false],
    ['?', '', false],
    [null, 'Jiří', false],
    ['?', ['ř'], false],
  ])('%j for %j: %s', (wanted, present, isLost) => {
    expect(hasLostLetters(wanted, present)).toBe(isLost);
  });
});
