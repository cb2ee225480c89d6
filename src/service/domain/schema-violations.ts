import Format from 'typebox/format';
import { Compile, type Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import type { SalonError } from '../../contract/errors.ts';
import { schemaFormats } from '../../contract/formats.ts';
import { invalidBody, invalidField } from './validation.ts';

/** Well above the violations of one response. typebox's default is 8, and it reports some errors twice. */
const maxErrors = 400;

/** Violations in one response: a body may have a hundred thousand unknown fields. */
const maxViolations = 100;

/** Registers the contract's formats with typebox and lets it report all errors. Idempotent. */
export function prepareValidation(): void {
  Settings.Set({ maxErrors });
  for (const [name, { matches }] of Object.entries(schemaFormats)) Format.Set(name, matches);
}

/** A value that violates a schema: its JSON pointer (RFC 6901), the code, and what is wrong. */
export interface SchemaViolation {
  readonly pointer: string;
  readonly code: 'required' | 'unknown_field' | 'invalid_format' | 'out_of_range';
  /** Completes a sentence that starts with the field: "must be a whole number". */
  readonly message: string;
}

type SchemaError = ReturnType<Validator['Errors']>[1][number];

/** Turns typebox errors into violations, at most one per field. */
export function toSchemaViolations(errors: readonly SchemaError[]): SchemaViolation[] {
  const byPointer = new Map<string, SchemaViolation>();
  for (const violation of errors.flatMap(toViolations)) {
    if (!byPointer.has(violation.pointer)) byPointer.set(violation.pointer, violation);
  }
  return [...byPointer.values()];
}

function toViolations(error: SchemaError): SchemaViolation[] {
  const pointer = error.instancePath;
  const invalid = (message: string) => [{ pointer, code: 'invalid_format', message } as const];
  const outOfRange = (message: string) => [{ pointer, code: 'out_of_range', message } as const];
  switch (error.keyword) {
    // typebox reports an unknown member twice, by its own pointer and in its parent's list, which may be cut off.
    case 'boolean':
      return [toUnknownField(pointer)];
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => toUnknownField(toPointer(pointer, name)));
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        pointer: toPointer(pointer, name),
        code: 'required',
        message: 'is required',
      }));
    case 'minProperties':
      return [{ pointer, code: 'required', message: 'must have at least one field' }];
    case 'type':
      return invalid(`must be ${toTypeNames(error.params.type)}`);
    case 'enum':
      return invalid(`must be one of ${error.params.allowedValues.join(', ')}`);
    case 'format':
      return invalid(
        `must be ${schemaFormats[error.params.format]?.description ?? `a ${error.params.format}`}`,
      );
    case 'minimum':
      return outOfRange(`must be at least ${error.params.limit}`);
    case 'maximum':
      return outOfRange(`must be at most ${error.params.limit}`);
    case 'minLength':
      return outOfRange(`must have at least ${error.params.limit} character`);
    case 'maxLength':
      return outOfRange(`must have at most ${error.params.limit} characters`);
    case 'minItems':
      return outOfRange(`must have at least ${error.params.limit} entry`);
    case 'maxItems':
      return outOfRange(`must have at most ${error.params.limit} entries`);
    default:
      return invalid(error.message);
  }
}

function toUnknownField(pointer: string): SchemaViolation {
  return { pointer, code: 'unknown_field', message: 'is unknown' };
}

/** The JSON pointer of a member. */
function toPointer(parent: string, name: string): string {
  return `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'a JSON object',
  string: 'text',
};

function toTypeNames(type: string | readonly string[]): string {
  return [type]
    .flat()
    .map((name) => typeNames[name] ?? name)
    .join(' or ');
}

/** Compiles the validation of a body, of an operation or a form. All violations end in one `validation_failed`. */
export function compileBody(schema: object): (body: unknown) => { value: unknown } | { error: SalonError } {
  const validator = Compile(schema);
  return (body) => {
    // Fastify passes null for a missing body, so a body of `null` is reported as missing, too.
    if (body === null) return { error: invalidField('', 'A JSON object is required.', 'required') };
    const tooLarge = findTooLarge(schema, body, '');
    if (tooLarge.length === 0 && validator.Check(body)) return { value: body };
    const violations = tooLarge.length > 0 ? tooLarge : toSchemaViolations(validator.Errors(body)[1]);
    const shown = violations.slice(0, maxViolations).map(({ pointer, code, message }) => {
      return { pointer, code, detail: `${pointer === '' ? 'The body' : pointer} ${message}.` };
    });
    return { error: invalidBody(shown) };
  };
}

/** The parts of a body schema that bound how much there may be. */
interface BoundedSchema {
  readonly maxItems?: number;
  readonly items?: BoundedSchema;
  readonly properties?: Readonly<Record<string, BoundedSchema>>;
  readonly additionalProperties?: unknown;
}

/** Unknown fields that are looked at one by one. */
const maxUnknownFields = 100;

/**
 * Finds lists that are too long, and objects with far too many fields. Validating what is in them would take seconds, so
 * nothing else of such a body is looked at.
 */
function findTooLarge(schema: BoundedSchema, value: unknown, pointer: string): readonly SchemaViolation[] {
  const { maxItems = Number.POSITIVE_INFINITY, items, properties = {}, additionalProperties } = schema;
  if (Array.isArray(value)) {
    if (value.length > maxItems) {
      return [{ pointer, code: 'out_of_range', message: `must have at most ${maxItems} entries` }];
    }
    // Only objects can be too large in turn.
    if (items?.properties === undefined) return [];
    return value.flatMap((item, index) => findTooLarge(items, item, `${pointer}/${index}`));
  }
  if (typeof value !== 'object' || value === null) return [];
  const known = Object.entries(properties);
  const given = Object.keys(value);
  if (additionalProperties === false && given.length > known.length + maxUnknownFields) {
    return given
      .filter((name) => !Object.hasOwn(properties, name))
      .slice(0, maxUnknownFields)
      .map((name) => ({ pointer: toPointer(pointer, name), code: 'unknown_field', message: 'is unknown' }));
  }
  const fields = value as Readonly<Record<string, unknown>>;
  return known.flatMap(([name, part]) =>
    Object.hasOwn(fields, name) ? findTooLarge(part, fields[name], toPointer(pointer, name)) : [],
  );
}
