import { describe, expect, it } from 'vitest';
import { createPhones, readPhoneNumber } from '../../src/text/phone-reader.ts';
import { writePhones } from './phone-examples.ts';

describe('a phone number as people write it', () => {
  it.each([
    ['0171/234 56 78', 'DE', '+491712345678'],
    ['(030) 12 34 56', 'DE', '+4930123456'],
    ['030–123456', 'DE', '+4930123456'],
    ['+49 (0)30 123456', undefined, '+4930123456'],
    ['0049 (0)30/123456', 'FR', '+4930123456'],
    ['(+49) 171 2345678', 'DE', '+491712345678'],
    ['06.12.34.56.78', 'FR', '+33612345678'],
    ['612 345 678', 'ES', '+34612345678'],
    ['48 601 234 567', 'PL', '+48601234567'],
    ['06 1234567', 'IT', '+39061234567'],
    ['+39 (0)6 1234567', 'IT', '+39061234567'],
    ['347 1234567', 'IT', '+393471234567'],
    ['39098433041', 'IT', '+39098433041'],
    ['39 0984 33041', 'IT', '+39098433041'],
    ['+44 07400 123457', 'GB', '+447400123457'],
    ['0044 07400 123458', 'GB', '+447400123458'],
    ['4407400123459', 'GB', '+447400123459'],
    ['0011 49 30 123456', 'AU', '+4930123456'],
    ['010 49 30 123456', 'JP', '+4930123456'],
    ['012 49 30 123456', 'IL', '+4930123456'],
    ['011 49 30 123456', 'US', '+4930123456'],
    ['8~10 49 30 123456', 'RU', '+4930123456'],
    ['00 49 30 123456', 'US', '+4930123456'],
    ['011 493 0123', 'ZA', '+27114930123'],
    ['491711234567', 'DE', '+491711234567'],
    ['9123456789', 'IN', '+919123456789'],
    ['1712345678', 'DE', '+491712345678'],
    ['+49\u00a030\u202f123\u2009456', undefined, '+4930123456'],
    ['\u202a+49 30 123456\u202c', undefined, '+4930123456'],
    ['＋４９ ３０ １２３４５６', undefined, '+4930123456'],
    ['٠٣٠ ١٢٣٤٥٦', 'DE', '+4930123456'],
    ['030\u2009123456', 'DE', '+4930123456'],
    ['0712 123456', 'KE', '+254712123456'],
    ['254712123456', 'KE', '+254712123456'],
    ['000 254 712 123456', 'KE', '+254712123456'],
    ['tel:030-123456', 'DE', '+4930123456'],
    ['tel:+49-30-123456', undefined, '+4930123456'],
    ['TEL:30-123456;phone-context=+49', undefined, '+4930123456'],
  ])('%s in %s is %s', (written, country, number) => {
    expect(readPhoneNumber(written, country)).toMatchObject({ number, extension: '', isValid: true });
  });

  it.each([
    ['that may be incomplete', '12 34 56', 'ES'],
    ['that may be without its area code', '23125018', 'DE'],
    ['of an unknown country', '030 123456', undefined],
    ['of a country without phones', '030 123456', 'AQ'],
    ['beside another', '123456/654321', 'DE'],
    ['beside another one', '0171 2345678/0172 2345678', 'DE'],
    ['with words', '030 123456 (Mama)', 'DE'],
    ['with letters', '1-800-FLOWERS', 'US'],
    ['of an emergency', '110', 'DE'],
    ['of a service', '11880', 'DE'],
    ['that is too short', '+44 20 7946', 'GB'],
    ['of 40 digits', '0171'.repeat(10), 'DE'],
    ['without digits', '+', 'DE'],
    ['that is empty', '', 'DE'],
  ])('%s is not read', (_, written, country) => {
    expect(readPhoneNumber(written, country)).toMatchObject({ number: undefined, readings: [] });
  });

  it.each([
    ['0171/234 56 78', '0171 234 56 78'],
    ['０３０ １２３４５６', '030 123456'],
    ['030 123456 ext. 12', '030 123456 ext. 12'],
    ['0171 2345678/0172 2345678', '0171 2345678/0172 2345678'],
  ])('%s stays %s where no country is known', (written, plain) => {
    expect(readPhoneNumber(written)).toMatchObject({ number: undefined, plain });
  });

  it.each([
    ['011 49 30 123456', 'DE', ['+49114930123456', '+4930123456']],
    ['00 1 201-555-0123', 'HK', ['+12015550123', '+2015550123']],
    ['+39 (0)312 3456789', 'IT', ['+3903123456789', '+393123456789']],
    ['15123456789', 'DE', ['+4915123456789', '+15123456789']],
  ])('%s in %s may be several', (written, country, readings) => {
    expect(readPhoneNumber(written, country)).toMatchObject({ number: undefined, readings });
  });

  it.each([
    ['030 123456 ext. 12', '12'],
    ['030 123456 ext 12', '12'],
    ['030 123456 (ext. 12)', '12'],
    ['030 123456x12', '12'],
    ['030 123456 #12', '12'],
    ['030 123456, Durchwahl 12', '12'],
    ['030 123456 DW: 012', '012'],
    ['tel:+49-30-123456;ext=12', '12'],
  ])('%s has an extension', (written, extension) => {
    expect(readPhoneNumber(written, 'DE')).toMatchObject({ number: '+4930123456', extension });
  });

  it('is read although its country does not have it yet', () => {
    expect(readPhoneNumber('+1 123 555 0123')).toMatchObject({ number: '+11235550123', isValid: false });
  });
});

describe('the examples of all territories', () => {
  const phones = [...writePhones()].map((phone) => ({
    ...phone,
    reading: readPhoneNumber(phone.written, phone.country),
  }));
  const show = ({ country, form, written }: (typeof phones)[number]) => `${country} ${form}: ${written}`;

  it('are of every territory', () => {
    expect(new Set(phones.map(({ country }) => country)).size).toBe(245);
    expect(phones.length).toBeGreaterThan(14_000);
  });

  it('are never read as another number', () => {
    const wrong = phones.filter(({ reading, number }) => ![number, undefined].includes(reading.number));
    expect(wrong.map(show)).toEqual([]);
  });

  it('are nearly all read: others lack the zero or the plus that would tell what they are', () => {
    const unread = phones.filter(({ reading }) => reading.number === undefined);
    expect(unread.length).toBeLessThanOrEqual(100);
    const clear = ['E164', 'blanks', '+00', 'RFC 3966', 'ext.', 'national', 'trunk after the code'];
    expect(unread.filter(({ form }) => clear.includes(form)).map(show)).toEqual([]);
  });

  it('keep their extension', () => {
    const lost = phones.filter(
      ({ form, reading }) => /ext|Durchwahl|^x$/.test(form) !== (reading.extension === '12'),
    );
    expect(lost.filter(({ form }) => form !== 'RFC 3966 with context').map(show)).toEqual([]);
  });
});

describe('phone numbers of a country', () => {
  const german = createPhones('DE');

  it.each([
    ...['030 23125018', '030/23125018', '(030) 231 250-18', '+49 (0)30 23125018', '0049 30 23125018'],
    ...['+49 030 23125018', '493023125018', 'tel:+49-30-23125018', '3023125018', '+49 30 23125018 ext. 1'],
  ])('%s is the same as +493023125018', (written) => {
    expect(german.isSame(written, '+493023125018')).toBe(true);
    expect(german.isSame('+493023125018', written)).toBe(true);
  });

  it.each([
    ['030 23125018', '+333023125018'],
    ['+43 30 23125018', '+493023125018'],
    ['030 23125018', '030 23125019'],
  ])('%s is another one than %s', (one, other) => {
    expect(german.isSame(one, other)).toBe(false);
  });

  it('may be stored in several forms', () => {
    expect(german.toStoredDigits('030 23125018')).toEqual(
      expect.arrayContaining([
        '493023125018',
        '03023125018',
        '3023125018',
        '00493023125018',
        '4903023125018',
      ]),
    );
    expect(german.toStoredDigits('+33 1 23 45 67 89')).toEqual(['33123456789', '0033123456789']);
    expect(german.toStoredDigits('110')).toEqual([]);
  });
});
