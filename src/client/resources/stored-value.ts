import { normaliseHours, normalisePhone } from '../../contract/formats.ts';
import { ExactNumber, isSameJson } from '../../text/json.ts';
import { isSamePhone, looksLikePhone, toDigits } from '../../text/phone-forms.ts';
import { parseInstant } from '../../time/time.ts';
import { isFields } from '../json-object.ts';

/**
 * Whether two values mean the same: a number and its text, a time in two zones, an email address in any case, a list in
 * another order, a record and its ID. Null, an empty text and an empty list are all nothing.
 */
export function isSameMeaning(sent: unknown, stored: unknown): boolean {
  if (isNothing(sent) || isNothing(stored)) return isNothing(sent) && isNothing(stored);
  if (Array.isArray(sent)) return isSameSet(sent, stored, isSameMeaning);
  if (!isFields(stored)) {
    const isInternational = /^\s*(?:\+|00)/.test(String(stored)) && !String(sent).trim().startsWith('+');
    return isSameJson(toScalar(sent), toScalar(stored)) || (isInternational && arePhones(sent, stored));
  }
  if (!isFields(sent)) return isSameMeaning(sent, stored['id']);
  return Object.entries(sent).every(([name, value]) => isSameMeaning(value, stored[name]));
}

/**
 * Whether a server may have made one value of the other: a text with other case, spaces and punctuation, a phone number
 * with its country code, a time without its zone. If the value was the same before, it may just as well be unchanged.
 */
export function isOtherForm(sent: unknown, stored: unknown): boolean {
  if (isSameMeaning(sent, stored)) return true;
  if (Array.isArray(sent)) return isSameSet(sent, stored, isOtherForm);
  if (typeof sent !== 'string' || typeof stored !== 'string') return false;
  if (isNumeric(sent) && isNumeric(stored)) return false;
  if (/^\d{4}-\d\d-\d\d/.test(sent)) {
    const forms = [sent, parseInstant(sent)?.utc ?? sent].map((text) => text.slice(0, 19));
    return forms.some((text) => stored.replace(' ', 'T').startsWith(text));
  }
  return arePhones(sent, stored) || (fold(sent) !== '' && fold(sent) === fold(stored));
}

export function isNothing(value: unknown): boolean {
  if (Array.isArray(value) || isFields(value)) return Object.keys(value).length === 0;
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}

/** Whether two values are one phone number. */
function arePhones(one: unknown, other: unknown): boolean {
  const [a, b] = [String(one), String(other)];
  return [a, b].every((text) => looksLikePhone(text) && toDigits(text).length > 5) && isSamePhone(a, b);
}

function isSameSet(sent: readonly unknown[], stored: unknown, isSame: typeof isSameMeaning): boolean {
  if (!Array.isArray(stored)) return false;
  const isAmong = (one: unknown) => stored.some((other) => isSame(one, other));
  return sent.every(isAmong) && stored.every((other) => sent.some((one) => isSame(one, other)));
}

/** A value in the form that its other ways of writing share. Of instants the seconds count: databases drop fractions. */
function toScalar(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (isNumeric(text)) return new ExactNumber(text);
  if (text === 'true' || text === 'false') return Number(text === 'true');
  const instant = parseInstant(text);
  if (instant !== undefined) return Math.floor(instant.ms / 1000);
  if (/^\S+@\S+$/.test(text)) return text.toLowerCase();
  return looksLikePhone(text) ? normalisePhone(text) : normaliseHours(text);
}

function isNumeric(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(text);
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{P}\s]/gu, '');
}
