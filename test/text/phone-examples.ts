import google from 'google-libphonenumber';
import { getExampleNumber } from 'libphonenumber-js/min';
import mobiles from 'libphonenumber-js/mobile/examples' with { type: 'json' };

const { PhoneNumberFormat, PhoneNumberType, PhoneNumberUtil } = google;
const util = PhoneNumberUtil.getInstance();

export interface WrittenPhone {
  readonly country: string;
  readonly form: string;
  readonly written: string;
  /** In E.164. */
  readonly number: string;
}

/** Numbers abroad that are dialled from every country. */
const foreign = [
  ['DE', '+4930123456'],
  ['US', '+12015550123'],
] as const;

const wide = (text: string) =>
  text.replace(/[+\d]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));

/** A landline and a mobile number of every territory, in all forms that people write. */
export function* writePhones(): Generator<WrittenPhone> {
  for (const country of util.getSupportedRegions().toSorted()) {
    const landline = util.getExampleNumberForType(country, PhoneNumberType.FIXED_LINE);
    const mobile = getExampleNumber(country as 'DE', mobiles)?.number;
    const numbers = [
      ...(landline ? [util.format(landline, PhoneNumberFormat.E164)] : []),
      ...(mobile === undefined ? [] : [mobile]),
    ];
    for (const number of numbers) {
      for (const [form, written] of Object.entries(toForms(number, country)))
        yield { country, form, written, number };
    }
    for (const [abroad, number] of foreign) {
      if (util.getCountryCodeForRegion(country) === util.getCountryCodeForRegion(abroad)) continue;
      const written = util.formatOutOfCountryCallingNumber(util.parse(number), country);
      yield { country, form: `${abroad} dialled from there`, written, number };
    }
  }
}

function toForms(number: string, country: string): Readonly<Record<string, string>> {
  const parsed = util.parse(number);
  const [international, national, uri] = [
    util.format(parsed, PhoneNumberFormat.INTERNATIONAL),
    util.format(parsed, PhoneNumberFormat.NATIONAL),
    util.format(parsed, PhoneNumberFormat.RFC3966),
  ];
  const code = String(parsed.getCountryCode());
  const significant = util.getNationalSignificantNumber(parsed);
  const trunk = util.getNddPrefixForRegion(country, true) ?? '';
  const hasTrunk = trunk !== '' && national.replace(/\D/g, '') === trunk + significant;
  return {
    E164: number,
    blanks: international,
    hyphens: international.replaceAll(' ', '-'),
    dots: international.replaceAll(' ', '.'),
    'no-break spaces': international.replaceAll(' ', '\u00a0'),
    'narrow blanks': international.replaceAll(' ', '\u202f'),
    'full width': wide(international),
    'marks around': `\u202a${international}\u202c`,
    'code in brackets': international.replace(/^\+\d+/, '($&)'),
    '00': `00${number.slice(1)}`,
    '00 and blanks': `00 ${international.slice(1)}`,
    '+00': `+00${number.slice(1)}`,
    'lost plus': number.slice(1),
    'RFC 3966': uri,
    'RFC 3966 with extension': `${uri};ext=12`,
    'RFC 3966 with context': `tel:${significant};phone-context=+${code}`,
    'ext.': `${international} ext. 12`,
    x: `${international} x12`,
    Durchwahl: `${international} Durchwahl 12`,
    ...(number === national
      ? {}
      : {
          national,
          'national digits': national.replace(/\D/g, ''),
          'national with extension': `${national} ext. 12`,
          'national full width': wide(national),
          'national with dots': national.replace(/[ -]/g, '.'),
        }),
    significant,
    ...(hasTrunk
      ? {
          'national with a slash': national.replace(/^\(?(\d{2,5})\)?[ -]/, '$1/'),
          'trunk in brackets': `+${code} (${trunk}) ${significant}`,
          'trunk after the code': `+${code} ${trunk}${significant}`,
          '00 and trunk in brackets': `00${code} (${trunk})${significant}`,
          'lost plus and trunk': code + trunk + significant,
        }
      : {
          'zero in brackets': significant.startsWith('0')
            ? `+${code} (0) ${significant.slice(1)}`
            : `+${code} (0) ${significant}`,
        }),
  };
}
