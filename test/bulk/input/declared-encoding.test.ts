import { describe, expect, it } from 'vitest';
import { detectDeclaredEncoding } from '../../../src/bulk/input/declared-encoding.ts';
import type { Encoding } from '../../../src/bulk/sheet/sheet-form.ts';
import { encode, writeSheet } from './sheet-file.ts';

async function detect(content: Uint8Array, given?: Encoding) {
  using file = writeSheet(content);
  const start = Buffer.from(content.subarray(0, 4_096));
  return await detectDeclaredEncoding(file.path, 'clients.xls', { start, given });
}

const page = (meta: string, text = 'Jürgen Müller') =>
  `<html><head>${meta}</head><body><table><tr><td>${text}</td></tr></table></body></html>`;
const charset = (label: string) => `<meta charset="${label}">`;
const httpEquiv = (label: string) => `<meta http-equiv=Content-Type content="text/html; charset=${label}">`;
const plain = { hasByteOrderMark: false };

describe('the encoding of an HTML or XML file', () => {
  it.each([
    ['utf-8', charset('UTF-8'), 'utf-8', 'Jürgen'],
    ['windows-1250', httpEquiv('windows-1250'), 'windows-1250', 'Wałęsa Łukasz'],
    ['iso-8859-2', charset('ISO-8859-2'), 'iso-8859-2', 'Wałęsa Łukasz'],
    ['windows-1252', httpEquiv('iso-8859-1'), 'windows-1252', 'Jürgen'],
    ['windows-1251', '<?xml version="1.0" encoding="windows-1251"?>', 'windows-1251', 'Иванова Анна'],
    ['utf-8', '', 'utf-8', 'Jürgen'],
  ] as const)('is the one that it says: %s in %s', async (encoding, meta, wanted, text) => {
    expect(await detect(encode(page(meta, text), encoding, plain))).toMatchObject({ encoding: wanted });
  });

  it('may be any if it has only letters without accents', async () => {
    for (const label of ['windows-1252', 'utf-8', 'klingon'])
      expect(await detect(Buffer.from(page(charset(label), 'Nia Berg')))).toMatchObject({
        encoding: 'utf-8',
      });
  });

  it.each(['utf-16le', 'utf-16be', 'utf-8'] as const)(
    'is that of its byte order mark, whatever it says: %s',
    async (encoding) => {
      const content = encode(page(charset('windows-1250')), encoding, { hasByteOrderMark: true });
      expect(await detect(content)).toEqual({ encoding, hasByteOrderMark: true });
    },
  );

  it.each([
    [
      'UTF-8 in a page of Windows',
      'windows-1252',
      charset('utf-8'),
      'utf-8, which it is not',
      'windows-1252',
    ],
    [
      'Windows in a page of UTF-8',
      'utf-8',
      charset('windows-1250'),
      'windows-1250, which it is not',
      'utf-8',
    ],
    ['an unknown one', 'utf-8', charset('klingon'), 'klingon, which it is not', 'utf-8'],
    [
      'two',
      'utf-8',
      `<?xml version="1.0" encoding="utf-8"?>${httpEquiv('windows-1252')}`,
      'utf-8 and windows-1252',
      'utf-8',
    ],
  ] as const)('is asked for if it says %s', async (_, encoding, meta, which, proposed) => {
    const content = encode(page(meta), encoding, plain);
    await expect(detect(content)).rejects.toMatchObject({
      code: 'usage',
      message: `clients.xls says that its encoding is ${which}.`,
      hint: `Say which it is, and check the names that are shown: --encoding ${proposed}`,
    });
  });

  it('is the one that is given', async () => {
    const content = encode(page(charset('utf-8'), 'Łukasz'), 'windows-1250', plain);
    expect(await detect(content, 'windows-1250')).toMatchObject({ encoding: 'windows-1250' });
  });

  it('is refused if a line is in another one', async () => {
    const start = encode(`${page(charset('utf-8'))}\n`, 'utf-8', plain);
    const content = Buffer.concat([start, encode('Jürgen\n', 'windows-1252', plain)]);
    await expect(detect(content)).rejects.toMatchObject({
      code: 'usage',
      message: 'clients.xls is damaged: line 2 is not valid UTF-8.',
    });
  });
});
