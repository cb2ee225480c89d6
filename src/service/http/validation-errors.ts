import Format from 'typebox/format';
import type { Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { schemaFormats } from '../../contract/formats.ts';

/** Well above the violations of one response. typebox's default is 8, and it reports some errors twice. */
const maxErrors = 400;

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
export function toPointer(parent: string, name: string): string {
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
