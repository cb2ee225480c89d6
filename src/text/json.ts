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
 * Of members with the same name the last one counts. Throws `SyntaxError`, and `RangeError` beyond `maxDepth` levels.
 */
export function parseJson(text: string, maxDepth = 1_000): unknown {
  const value: unknown = JSON.parse(text);
  const mayDiffer =
    hasRounded(value, maxDepth) || typeof value === 'number' || (decimal.test(text) && inexact.test(text));
  // Parsing with a reviver takes eight times as long.
  return mayDiffer ? JSON.parse(text, keepDigits) : value;
}

/** Like `parseJson`; undefined for a text that is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Whether a number is beyond the integers that JavaScript represents exactly, or negative zero. Checks the depth. */
function hasRounded(value: unknown, levels: number): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER || Object.is(value, -0);
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) throw new RangeError('nested too deeply');
  let isFound = false;
  if (Array.isArray(value)) {
    for (const item of value) if (hasRounded(item, levels - 1)) isFound = true;
    return isFound;
  }
  // Object.values would allocate an array for each of many thousand records.
  for (const name in value) {
    const member: unknown = value[name as keyof typeof value];
    if (typeof member !== 'string' && hasRounded(member, levels - 1)) isFound = true;
  }
  return isFound;
}

/** Decimals and exponents. A match inside a text costs time, nothing else; so does one of `inexact`. */
const decimal = /\d[.eE][-+]?\d+[,}\]\s]/;
/** Numbers that JavaScript may write differently: long, with an exponent, with a last decimal of 0, or tiny. */
const inexact = /[:,[\s]-?(?:\d[\d.]{15}|\d+\.\d*0[,}\]\s]|0\.0{6}|[\d.]+[eE])/;

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
  return escapeInvisible(JSON.stringify(value, null, indent));
}

/** Escapes what `renderJson` escapes, in JSON: it can only be inside texts and names. */
export function escapeInvisible(text: string): string {
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
