import { normaliseEmail, normalisePhone } from '../../contract/formats.ts';

/**
 * What a value is found by, the same for a cell and for the record's own field: e-mail addresses without regard to
 * case, phone numbers without what only makes them easier to read. Undefined for what names nothing.
 */
export function toMatchKey(field: string, value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  const key = forms[field]?.(text) ?? text;
  return key === '' ? undefined : key;
}

const forms: Readonly<Record<string, (text: string) => string>> = {
  email: normaliseEmail,
  phone: normalisePhone,
};
