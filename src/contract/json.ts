declare global {
  interface JSON {
    /** Node 22: a value that `JSON.stringify` writes as this text. */
    rawJSON(text: string): object;
    parse(
      text: string,
      reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/**
 * A number in JSON that a JavaScript number would change: it has more digits than fit, or is written differently, such
 * as `1.50` or `1E5`. `JSON.stringify` and `String` return its text, arithmetic uses the nearest JavaScript number.
 */
export class ExactNumber {
  /** The number as in the JSON document. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  valueOf(): number {
    return Number(this.text);
  }

  toJSON(): object {
    return JSON.rawJSON(this.text);
  }
}

/**
 * Like `JSON.parse`, but keeps every digit: a number that JavaScript would write differently becomes an `ExactNumber`.
 * Of members with the same name the last one counts. Throws `SyntaxError`, and `RangeError` where a document with such
 * numbers is nested thousands of levels deep.
 */
export function parseJson(text: string): unknown {
  const isExact = isList.test(text) && !(unusual.test(text) && inexact.test(text));
  return isExact ? JSON.parse(text) : JSON.parse(text, keepDigits);
}

const isList = /^\s*[[{]/;
/** Decimals, exponents, negative zero and 16 digits or more: V8 finds that there are none in half the time of parsing. */
const unusual = /[:,[\s](?:-0|-?\d{16,}|-?\d+\.\d+|-?\d+(?:\.\d+)?[eE][-+]?\d+)[,}\]\s]/;
/** Those that JavaScript writes differently. Both may match inside a text, which only costs time. */
const inexact = /[:,[\s]-?(?:\d[\d.]{15}|\d+\.\d*0[,}\]\s]|0\.0{6}|[\d.]+[eE]|(?<=-)0[,}\]\s])/;

function keepDigits(_name: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value !== 'number' || source === undefined || source === String(value)
    ? value
    : new ExactNumber(source);
}

/**
 * Like `JSON.stringify`, for output that may reach a terminal: DEL, C1 controls, bidirectional controls and line
 * separators are escaped as well.
 */
export function renderJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  // They can only be inside texts and names.
  return invisible.test(text) ? text.replaceAll(everyInvisible, toEscape) : text;
}

const invisible = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const everyInvisible = new RegExp(invisible, 'g');

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Whether a value is a number of JSON, exact or not. */
export function isJsonNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/** Whether two values of JSON are equal. Numbers are compared by their exact value: `1.50` equals `1.5`. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (isJsonNumber(one)) return isJsonNumber(other) && toDecimal(one) === toDecimal(other);
  if (isJsonNumber(other)) return false;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => isSameJson(item, other[index]));
  }
  const members = new Map(Object.entries(other));
  const own = Object.entries(one);
  return (
    own.length === members.size &&
    own.every(([name, value]) => members.has(name) && isSameJson(value, members.get(name)))
  );
}

/** The significant digits and the power of ten of a number, the same text for every way of writing it. */
function toDecimal(number: number | ExactNumber): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(String(number)) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`;
}
