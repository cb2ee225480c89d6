import { describe, expect, it } from 'vitest';
import { hasLibreOffice } from '../../support/libreoffice.ts';
import { locales, readFixture, readSaved, saveWithLibreOffice } from './libreoffice.ts';

describe.skipIf(!hasLibreOffice)('the LibreOffice of this machine', () => {
  it.each(locales.filter(({ name }) => name === 'de'))(
    'saves what is kept here ($name)',
    async (locale) => {
      expect(await readSaved(saveWithLibreOffice(locale))).toEqual(await readSaved(readFixture(locale)));
    },
    60_000,
  );
});
