import { Compile } from 'typebox/schema';
import type { SalonError, Violation } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import { invalidQuery } from '../domain/validation.ts';
import { type SchemaViolation, toSchemaViolations } from './validation-errors.ts';

/** A query string before its parameters are read; Fastify's router hands it on untouched. */
export interface RawQuery {
  readonly text: string;
}

/** A query schema of the contract: flat, and every parameter of one type. */
export interface QuerySchema {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly properties: Readonly<Record<string, ParameterSchema>>;
}

interface ParameterSchema {
  readonly type: 'integer' | 'boolean' | 'string';
  readonly default?: unknown;
}

type Value = string | number | boolean;
type Reading = { value: Value } | Pick<SchemaViolation, 'code' | 'rule'>;

/**
 * Makes the strict reader of one operation's query string: nothing is repeated, unknown or guessed.
 * A page size above the most is lowered. Its error is `invalid_parameter` with a violation for every parameter.
 */
export function compileQuery(schema: QuerySchema) {
  const validator = Compile(schema);
  const known = new Map(Object.entries(schema.properties));
  const defaults = toDefaults(known);

  return ({ text }: RawQuery): { value: Record<string, Value> } | { error: SalonError } => {
    const value = { ...defaults };
    const violations = text === '' ? [] : readParameters(text, known, value);
    if (!validator.Check(value)) {
      for (const { pointer, code, rule } of toSchemaViolations(validator.Errors(value)[1])) {
        violations.push(toViolation(pointer.slice(1), { code, rule }));
      }
    }
    if (violations.length > 0) {
      return { error: invalidQuery(violations) };
    }
    if (typeof value['per_page'] === 'number' && value['per_page'] > pageSizes.most) {
      value['per_page'] = pageSizes.most;
    }
    return { value };
  };
}

function toDefaults(known: ReadonlyMap<string, ParameterSchema>): Record<string, Value> {
  const defaults: Record<string, Value> = {};
  for (const [name, { default: fallback }] of known) {
    if (typeof fallback === 'number' || typeof fallback === 'boolean' || typeof fallback === 'string') {
      defaults[name] = fallback;
    }
  }
  return defaults;
}

/** Puts what the text says into `value`, and answers what is wrong with it, once for each name. */
function readParameters(
  text: string,
  known: ReadonlyMap<string, ParameterSchema>,
  value: Record<string, Value>,
): Violation[] {
  const broken = new Map<string, Violation>();
  const seen = new Set<string>();
  for (const pair of text.split('&')) {
    if (pair === '') {
      continue;
    }
    const cut = pair.indexOf('=');
    const encodedName = cut === -1 ? pair : pair.slice(0, cut);
    const name = decode(encodedName) ?? encodedName;
    const reading = seen.has(name)
      ? repeated
      : readValue(known.get(name), cut === -1 ? '' : pair.slice(cut + 1));
    seen.add(name);
    if ('value' in reading) {
      value[name] = reading.value;
    } else {
      broken.set(name, toViolation(name, reading));
    }
  }
  return [...broken.values()];
}

const repeated: Reading = { code: 'invalid_format', rule: 'is given more than once' };

function readValue(parameter: ParameterSchema | undefined, encoded: string): Reading {
  const text = decode(encoded);
  if (parameter === undefined) {
    return { code: 'unknown_field', rule: 'is not known here' };
  }
  if (text === undefined) {
    return { code: 'invalid_format', rule: 'is not correctly percent-encoded' };
  }
  switch (parameter.type) {
    case 'integer':
      return readInteger(text);
    case 'boolean':
      return text === 'true' || text === 'false'
        ? { value: text === 'true' }
        : { code: 'invalid_format', rule: 'must be true or false' };
    case 'string':
      return { value: text };
  }
}

function readInteger(text: string): Reading {
  if (!/^\d+$/.test(text)) {
    return { code: 'invalid_format', rule: 'must be a whole number' };
  }
  const value = Number(text);
  return Number.isSafeInteger(value) ? { value } : { code: 'out_of_range', rule: 'is too large' };
}

function decode(encoded: string): string | undefined {
  if (!/[%+]/.test(encoded)) {
    return encoded;
  }
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function toViolation(parameter: string, { code, rule }: Pick<SchemaViolation, 'code' | 'rule'>): Violation {
  return { parameter, code, detail: `${parameter} ${rule}.` };
}
