import { parseDay, parseInstant } from './time.ts';

interface Format {
  /** Continues "must be". */
  readonly name: string;
  readonly has: (text: string) => boolean;
}

/** Every format that the contract's schemas name. */
export const formats: Readonly<Record<string, Format>> = {
  date: { name: 'a day that exists, as YYYY-MM-DD', has: (text) => parseDay(text) !== undefined },
  'date-time': {
    name: 'an RFC 3339 time with a zone, such as 2026-11-21T09:00:00Z',
    has: (text) => parseInstant(text) !== undefined,
  },
  'salon-email': { name: 'an e-mail address with one @', has: (text) => /^[^@\s]+@[^@\s]+$/u.test(text) },
  'salon-phone': {
    name: 'an optional + and 7 to 15 digits',
    has: (text) => /^\+?\d{7,15}$/.test(normalisePhone(text)),
  },
};

/** An e-mail address as the service keeps it. */
export function normaliseEmail(email: string): string {
  return email.toLowerCase();
}

/** A phone number as the service keeps it. */
export function normalisePhone(phone: string): string {
  return phone.replace(/[ .\-()[\]]/g, '');
}

/**
 * What no text of a record may hold: NUL ends texts in many programs, and half of a surrogate pair cannot be
 * written as UTF-8 at all.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Characters of a text that decide its place; a cursor carries them, and a cursor has to stay short. */
const sortedLength = 64;

/** What a text is ordered by, without regard to case and accents; control characters have no place in an order. */
export function toSortKey(text: string): string {
  const letters = text.normalize('NFKD').replace(/[\p{M}\p{C}]/gu, '');
  return letters.toLowerCase().slice(0, sortedLength).toWellFormed();
}
