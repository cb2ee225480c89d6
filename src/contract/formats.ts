import { tidyPhone } from '../text/phone-forms.ts';
import { isBirthday } from '../time/birthdays.ts';
import { isTimeZone, parseInstant } from '../time/time.ts';
import { parseWeekHours, renderWeekHours } from '../time/week-hours.ts';

/** Every `format` in the contract's schemas. The description completes "must be …". */
export const schemaFormats: Readonly<
  Record<string, { readonly description: string; readonly matches: (text: string) => boolean }>
> = {
  'salon-birthday': {
    description: 'an existing date as YYYY-MM-DD, or as --MM-DD without its year',
    matches: isBirthday,
  },
  'date-time': {
    description: 'an RFC 3339 time with a zone, such as 2026-11-21T09:00:00Z',
    matches: (text) => parseInstant(text) !== undefined,
  },
  'salon-email': {
    description: 'an email address with one @',
    matches: (text) => /^[^@\s]+@[^@\s]+$/u.test(text),
  },
  'salon-phone': {
    description: 'an optional + and 7 to 15 digits',
    matches: (text) => /^\+?\d{7,15}$/.test(normalisePhone(text)),
  },
  'salon-hours': {
    description: 'weekdays and hours, such as mon-fri 9-18, sat 9-14',
    matches: (text) => parseWeekHours(text) !== undefined,
  },
  'salon-time-zone': {
    description: 'the IANA name of a time zone, such as Europe/Berlin',
    // An offset has no clock changes.
    matches: (text) => isTimeZone(text) && !/^[+-]/.test(text),
  },
  'salon-wait': {
    description: 'a time of at most 60s, such as 30s',
    matches: (text) => parseWait(text) !== undefined,
  },
  'salon-country': { description: 'an ISO 3166 code, such as DE', matches: isCountry },
};

/** Regions of Unicode that are no countries of ISO 3166; Kosovo uses XK. */
const noCountries = ['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'];

function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || noCountries.includes(code)) return false;
  // A former country has the code of the one it became.
  const isCurrent = Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return isCurrent && names.of(code) !== undefined;
}

/** An email address as the service stores it. */
export function normaliseEmail(email: string): string {
  return email.toLowerCase();
}

/** A phone number as the service stores it. */
export function normalisePhone(phone: string): string {
  return tidyPhone(phone).replace(/[ .\-()[\]]/g, '');
}

/** Weekly hours as the service stores them. */
export function normaliseHours(hours: string): string {
  const week = parseWeekHours(hours);
  return week === undefined ? hours : renderWeekHours(week);
}

/** The longest wait for changes, in seconds. */
const maxWaitSeconds = 60;

/** A wait such as 30s in milliseconds; undefined for any other text. */
export function parseWait(text: string): number | undefined {
  const seconds = /^\d{1,2}(?=s$)/.exec(text)?.[0];
  return seconds === undefined || Number(seconds) > maxWaitSeconds ? undefined : Number(seconds) * 1000;
}

/** Whether a text has no NUL, which ends strings in many programs, and no lone surrogate, which is not valid UTF-8. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
