import { describe, expect, it } from 'vitest';
import { createCellRules } from '../../../src/bulk/input/cell-values.ts';
import { locales, readFixture, readSaved } from './libreoffice.ts';

describe.each(locales)('a CSV that LibreOffice saved ($name)', (locale) => {
  const fixture = readFixture(locale);

  it('is detected', async () => {
    const { form } = await readSaved(fixture);
    const { delimiter, encoding } = locale;
    expect(form).toMatchObject({ format: 'csv', delimiter, encoding, lineEnd: '\n' });
  });

  it('has the exported values', async () => {
    const { rows } = await readSaved(fixture);
    const [first, second, third] = rows.map(({ line, cells }) => ({ line, ...cells }));
    expect(first).toMatchObject({
      line: 2,
      first_name: 'Jürgen',
      notes: 'Line one\nline "two"; with, marks',
    });
    expect(first).toMatchObject({ birthday: '1990-05-01', tags: 'vip;new' });
    expect(second).toMatchObject({ line: 4, first_name: 'Zoë', notes: '=1+1' });
    expect(third).toMatchObject({ line: 5, first_name: '€', notes: '5" nail', tags: "it's" });
  });

  it('has values for true and false that are parsed', async () => {
    const { rows } = await readSaved(fixture);
    const field = 'email_marketing_consent';
    const { toValue } = createCellRules({ format: 'csv', noun: 'clients', timeZone: 'UTC' });
    const words = rows.map(({ cells }) => cells[field]);
    expect(words).toEqual(['TRUE', 'FALSE', '']);
    expect(words.map((word) => toValue(word, field, undefined))).toEqual([true, false, undefined]);
  });
});
