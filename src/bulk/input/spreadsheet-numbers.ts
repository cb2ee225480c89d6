import { decimalsOf } from '../../contract/currencies.ts';
import { normalisePhone } from '../../contract/formats.ts';
import { isJsonNumber } from '../../text/json.ts';
import { renderDecimal } from '../../text/numbers.ts';
import type { Phones } from '../../text/phone-reader.ts';
import { UnclearCell } from '../sheet/sheet-form.ts';

/** Marks that keep a cell a text in spreadsheet programs: `'`, `="…"`, and blanks that cannot be seen. */
const textMarks = /^(?:=?"|')+|"$|[\u200B\u200E\u200F\u202A-\u202E\u2060\uFEFF]/g;
/** Most phones: read fast, as there is nothing to compare with. */
const plainPhone = /^\+?\d[\d ()-]*$/;
const scientific = /^(?<first>\d)(?:[.,](?<rest>\d+))?E\+?(?<exponent>\d{1,2})$/i;
const shownNumber = /^-?(?:0|[1-9]\d*)(?:[.,]\d+)?(?:E\+?\d{1,2})?$/i;

/**
 * The phone number of a cell. Spreadsheet programs make a number of it: `+447700900123` loses its `+` and `07700900123`
 * its zero, and either may be shown as `4.477E+11`. A number that differs from the current one only in that is the
 * current one; another of the same length and country gets its `+` back; one that has lost digits is unclear.
 */
function readShownPhone(cell: string, current: unknown): string | UnclearCell {
  if (typeof current !== 'string' && plainPhone.test(cell)) return cell.trim();
  const bare = cell.replace(textMarks, '').trim();
  const now = typeof current === 'string' ? normalisePhone(current) : '';
  const [, prefix = '', significant = ''] = /^([+0]*)(\d*)$/.exec(now) ?? [];
  const { first = '', rest = '', exponent } = scientific.exec(bare)?.groups ?? {};
  if (exponent !== undefined && first.length + rest.length !== Number(exponent) + 1) {
    if (roundsTo(significant, first + rest, Number(exponent))) return String(current);
    return new UnclearCell(
      `${bare} has lost digits in a spreadsheet program. Format the column as text and enter the number again.`,
    );
  }
  const digits = exponent === undefined ? normalisePhone(bare.replace(/^(\d+)[.,]0+$/, '$1')) : first + rest;
  if (digits === now) return String(current);
  // If a program had removed the leading zeros, the digits would not begin with one.
  if (significant === '' || !/^[1-9]\d+$/.test(digits))
    return digits === normalisePhone(bare) ? bare : digits;
  if (digits === significant) return String(current);
  const isAlike = digits.length === significant.length && digits.slice(0, 2) === significant.slice(0, 2);
  return isAlike ? prefix + digits : digits === normalisePhone(bare) ? bare : digits;
}

/** The phone number of a cell in E.164, or as written if it is the current one or cannot be read. */
export function readPhone(cell: string, current: unknown, phones: Phones): string | UnclearCell {
  const phone = readShownPhone(cell, current);
  if (phone instanceof UnclearCell || phone === current) return phone;
  const { number, plain, readings } = phones.read(phone);
  const now = typeof current === 'string' ? normalisePhone(current) : undefined;
  if (typeof current === 'string' && [number, normalisePhone(phone), ...readings].includes(now))
    return current;
  if (readings.length === 0) return number ?? plain;
  const choice = readings.join(' or ');
  return new UnclearCell(`${plain} may be ${choice}. Write it with + and the country code.`);
}

/** What is to be known about phone numbers before they are saved. */
export type PhoneNote = 'national' | 'bare' | 'written' | 'invalid' | 'extension';

/** What is to be known about the phone number of a cell of a record that exists, or is new. */
export function notePhone(cell: string, phones: Phones, isNew: boolean): readonly PhoneNote[] {
  // There is nothing to tell of a number as the service writes it. Exported sheets have thousands.
  if (!isNew && /^\+\d{7,15}$/.test(cell)) return [];
  const phone = readShownPhone(cell, undefined);
  if (phone instanceof UnclearCell) return [];
  const { number, plain, isValid, extension } = phones.read(phone);
  const text = normalisePhone(plain);
  const isNational = !/^(?:\+|00|tel:)/.test(text);
  const notes: PhoneNote[] = extension === '' ? [] : ['extension'];
  if (number !== undefined)
    return [
      ...notes,
      ...(isNational ? ['national' as const] : []),
      ...(isValid || !isNew ? [] : ['invalid' as const]),
    ];
  if (!isNew || !/^\+?\d{7,15}$/.test(text)) return notes;
  // National numbers begin with a zero or have fewer digits.
  const bare = phones.country === undefined ? /^[1-9]\d{10,14}$/ : /^[1-9]\d{6,14}$/;
  if (bare.test(text)) return ['bare'];
  return [isNational && phones.country === undefined ? 'national' : 'written'];
}

/** Whether a cell is what spreadsheet programs make of a text: `123` of `00123`, `TRUE` of `true`. */
export function isNumberOf(text: string, cell: string): boolean {
  const bare = cell.trim();
  if (/^(?:true|false)$/i.test(bare)) return bare.toLowerCase() === text.toLowerCase();
  if (
    /^\d{4}-\d\d-\d\d(?: \d\d:\d\d)?$/.test(text) &&
    bare.replaceAll('/', '-').replace(/(:\d\d):00$/, '$1') === text
  )
    return true;
  if (!shownNumber.test(bare)) return false;
  const plain = text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1');
  if (!/^-?\d+(?:[.,]\d+)?$/.test(plain)) return false;
  const { first = '', rest = '', exponent } = scientific.exec(bare)?.groups ?? {};
  if (exponent !== undefined) return roundsTo(plain, first + rest, Number(exponent));
  const isSame = toDecimal(plain) === toDecimal(bare);
  // Programs keep 15 digits and put zeros for the others.
  return isSame || (/^\d{16,}$/.test(plain) && bare === plain.slice(0, 15).padEnd(plain.length, '0'));
}

/** Whether a whole number is shown with these digits and this exponent. */
function roundsTo(whole: string, shown: string, exponent: number): boolean {
  if (!/^[1-9]\d*$/.test(whole) || whole.length > exponent + 2) return false;
  const [digits = '', power] = Number(whole)
    .toExponential(Math.min(100, shown.length - 1))
    .split('e');
  return digits.replace('.', '') === shown && Number(power) === exponent;
}

function toDecimal(text: string): string {
  const [whole = '', fraction = ''] = text.split(/[.,]/);
  return `${whole}.${fraction.replace(/0+$/, '')}`;
}

/**
 * The minor units of a decimal amount, as people of any country write one: `45.00`, `45,00 €`, `1.234,50`, `1 234,50 EUR`.
 * The cell itself if it is none, or has more decimals than the currency.
 */
export function parseAmount(cell: string, currency: string, current: unknown): unknown {
  const decimals = decimalsOf(currency) ?? 0;
  const typed = withoutCurrency(cell.replace(/[\s\u00A0\u202F']/g, ''), currency).replace(/[.,][-–—]$/, '');
  // Programs show 15 digits of 49.500000000000007, which they have calculated, and of 0.0099999999999999999998.
  const bare = /^-?\d+\.\d{10,}$/.test(typed) ? String(Number(Number(typed).toPrecision(15))) : typed;
  const readings = [...new Set(readDecimal(bare, decimals))];
  const shown = isJsonNumber(current) ? readings.find((minor) => minor === Number(current)) : undefined;
  if (shown !== undefined) return shown;
  const [first, second] = readings;
  if (first === undefined) return cell;
  const render = (minor: number) => renderDecimal(minor, decimals) ?? String(minor);
  if (second === undefined) {
    // A program that calculates writes 45.005; a person may mean thousands.
    const mayBeExact = decimals > 0 && /^-?\d{1,3}[.,]\d{3}$/.test(bare);
    if (!mayBeExact) return first;
    return new UnclearCell(
      `${cell} may be ${render(first)} ${currency}, or have too many decimals. Write it with ${decimals}.`,
    );
  }
  const [one, other] = [render(first), render(second)];
  // Three digits behind a point may be thousands; four cannot.
  const way =
    decimals === 0 ? 'without separators' : `with ${decimals === 3 ? 4 : decimals} decimals, or none`;
  return new UnclearCell(`${cell} may be ${one} or ${other} ${currency}. Write it ${way}.`);
}

/** An amount without its currency code or sign. */
function withoutCurrency(text: string, currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const parts = /^[-\d.,]+$/.test(text) ? [] : new Intl.NumberFormat('en', style).formatToParts(0);
  const sign = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  for (const mark of [currency, sign].map((one) => one.toLowerCase())) {
    if (text.toLowerCase().startsWith(mark)) return text.slice(mark.length);
    if (text.toLowerCase().endsWith(mark)) return text.slice(0, -mark.length);
  }
  return text;
}

/** Every reading of a number in minor units: a single separator may be one of decimals or of thousands. */
function readDecimal(text: string, decimals: number): readonly number[] {
  const found: number[] = [];
  for (const [point, group] of [
    ['.', ','],
    [',', '.'],
  ] as const) {
    const [, sign = '', whole = '', fraction = ''] =
      new RegExp(`^(-?)(\\d{1,3}(?:\\${group}\\d{3})+|\\d+)(?:\\${point}(\\d+))?$`).exec(text) ?? [];
    const kept = fraction.replace(/0+$/, '');
    if (whole === '' || kept.length > decimals) continue;
    const minor = Number(`${sign}${whole.replaceAll(group, '')}${kept.padEnd(decimals, '0')}`);
    if (Number.isSafeInteger(minor)) found.push(minor);
  }
  return found;
}
