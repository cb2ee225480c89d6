import { Compile } from 'typebox/schema';
import type { SalonError, Violation } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import { type SchemaViolation, toSchemaViolations } from '../domain/schema-violations.ts';
import { invalidQuery } from '../domain/validation.ts';

/** The raw query string, as the router passes it on. */
export interface RawQuery {
  readonly text: string;
}

/** A query schema of the contract: flat, with one type per parameter. */
export interface QuerySchema {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, ParameterSchema>>;
}

/** The schema of a query, or of the body of a POST, that takes nothing: what would be ignored is refused. */
export const noFields: QuerySchema = { type: 'object', additionalProperties: false, properties: {} };

interface ParameterSchema {
  readonly type: 'integer' | 'boolean' | 'string';
  readonly default?: Value;
}

type Value = string | number | boolean;
type Parsed = { value: Value } | Pick<SchemaViolation, 'code' | 'message'>;

/**
 * Compiles a strict parser for an operation's query string. Repeated and unknown parameters are errors; too large a
 * page size is lowered. All violations end in one `invalid_parameter`.
 */
export function compileQuery(schema: QuerySchema) {
  const validator = Compile(schema);
  const parameters = new Map(Object.entries(schema.properties));
  const defaults = Object.fromEntries(
    [...parameters].flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
  );

  return ({ text }: RawQuery): { value: Record<string, Value> } | { error: SalonError } => {
    const value: Record<string, Value> = { ...defaults };
    const violations = text === '' ? [] : parseInto(value, text, parameters);
    if (!validator.Check(value)) {
      for (const { pointer, ...violation } of toSchemaViolations(validator.Errors(value)[1])) {
        violations.push(toViolation(pointer.slice(1), violation));
      }
    }
    if (violations.length > 0) return { error: invalidQuery(violations) };
    if (typeof value['per_page'] === 'number' && value['per_page'] > pageSizes.max) {
      value['per_page'] = pageSizes.max;
    }
    return { value };
  };
}

/** Adds the parameters in the text to `value` and returns the violations, at most one per name. */
function parseInto(
  value: Record<string, Value>,
  text: string,
  parameters: ReadonlyMap<string, ParameterSchema>,
): Violation[] {
  const violations = new Map<string, Violation>();
  const seen = new Set<string>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const cut = pair.indexOf('=');
    const encodedName = cut === -1 ? pair : pair.slice(0, cut);
    const name = decode(encodedName) ?? encodedName;
    const parsed = seen.has(name)
      ? repeated
      : parseValue(parameters.get(name), cut === -1 ? '' : pair.slice(cut + 1));
    seen.add(name);
    if ('value' in parsed) value[name] = parsed.value;
    else violations.set(name, toViolation(name, parsed));
  }
  return [...violations.values()];
}

const repeated: Parsed = { code: 'invalid_format', message: 'is given more than once' };

function parseValue(parameter: ParameterSchema | undefined, encoded: string): Parsed {
  const text = decode(encoded);
  if (parameter === undefined) return { code: 'unknown_field', message: 'is unknown' };
  if (text === undefined) return { code: 'invalid_format', message: 'has invalid percent-encoding' };
  switch (parameter.type) {
    case 'integer':
      return parseInteger(text);
    case 'boolean':
      return text === 'true' || text === 'false'
        ? { value: text === 'true' }
        : { code: 'invalid_format', message: 'must be true or false' };
    case 'string':
      return { value: text };
  }
}

function parseInteger(text: string): Parsed {
  if (!/^\d+$/.test(text)) return { code: 'invalid_format', message: 'must be a whole number' };
  const value = Number(text);
  return Number.isSafeInteger(value) ? { value } : { code: 'out_of_range', message: 'is too large' };
}

function decode(encoded: string): string | undefined {
  if (!/[%+]/.test(encoded)) return encoded;
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function toViolation(
  parameter: string,
  { code, message }: Pick<SchemaViolation, 'code' | 'message'>,
): Violation {
  return { parameter, code, detail: `${parameter} ${message}.` };
}
