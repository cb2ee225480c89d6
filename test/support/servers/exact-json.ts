/** A number that JavaScript cannot hold, kept as its text. */
interface RawNumber {
  readonly rawJSON: string;
}

interface ExactJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): RawNumber;
}

const { parse, rawJSON } = JSON as unknown as ExactJson;

/** A number exactly as written; `JSON.stringify` writes it digit for digit. */
export function exactNumber(text: string): unknown {
  return rawJSON(text);
}

/** Parses JSON and keeps every number that would change its digits. */
export function parseExact(text: string): unknown {
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? rawJSON(source) : value,
  );
}
