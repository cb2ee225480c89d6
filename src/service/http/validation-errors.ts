import Format from 'typebox/format';
import type { Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { formats } from '../../contract/formats.ts';

/** One rule of a schema that a value broke: where (RFC 6901), which kind, and what would be right. */
export interface SchemaViolation {
  readonly pointer: string;
  readonly code: 'required' | 'unknown_field' | 'invalid_format' | 'out_of_range';
  /** Continues a sentence that begins with the place: "must be a whole number". */
  readonly rule: string;
}

type SchemaError = ReturnType<Validator['Errors']>[1][number];

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'a JSON object',
  string: 'text',
};

/** What a schema check found, one rule a place: the first one of each. */
export function toSchemaViolations(errors: readonly SchemaError[]): SchemaViolation[] {
  const byPlace = new Map<string, SchemaViolation>();
  for (const broken of errors.flatMap(toRules)) {
    if (!byPlace.has(broken.pointer)) {
      byPlace.set(broken.pointer, broken);
    }
  }
  return [...byPlace.values()];
}

function toRules(error: SchemaError): SchemaViolation[] {
  const pointer = error.instancePath;
  switch (error.keyword) {
    // An unknown member is reported twice, by its own place and by its parent's list; the list is left out
    // where there is too much else.
    case 'boolean':
      return [toUnknownMember(pointer)];
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) =>
        toUnknownMember(`${pointer}/${escapeSegment(name)}`),
      );
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        pointer: `${pointer}/${escapeSegment(name)}`,
        code: 'required',
        rule: 'is required',
      }));
    case 'minProperties':
      return [{ pointer, code: 'required', rule: 'must have at least one member' }];
    case 'type':
      return [{ pointer, code: 'invalid_format', rule: `must be ${toTypeNames(error.params.type)}` }];
    case 'enum':
      return [
        { pointer, code: 'invalid_format', rule: `must be one of ${error.params.allowedValues.join(', ')}` },
      ];
    case 'format':
      return [{ pointer, code: 'invalid_format', rule: `must be ${toFormatName(error.params.format)}` }];
    case 'minimum':
      return [{ pointer, code: 'out_of_range', rule: `must be at least ${error.params.limit}` }];
    case 'maximum':
      return [{ pointer, code: 'out_of_range', rule: `must be at most ${error.params.limit}` }];
    case 'minLength':
      return [{ pointer, code: 'out_of_range', rule: `must have at least ${error.params.limit} character` }];
    case 'maxLength':
      return [{ pointer, code: 'out_of_range', rule: `must have at most ${error.params.limit} characters` }];
    case 'maxItems':
      return [{ pointer, code: 'out_of_range', rule: `must have at most ${error.params.limit} entries` }];
    default:
      return [{ pointer, code: 'invalid_format', rule: error.message }];
  }
}

function toUnknownMember(pointer: string): SchemaViolation {
  return { pointer, code: 'unknown_field', rule: 'is not known here' };
}

function escapeSegment(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function toTypeNames(type: string | readonly string[]): string {
  return [type]
    .flat()
    .map((name) => typeNames[name] ?? name)
    .join(' or ');
}

function toFormatName(format: string): string {
  return formats[format]?.name ?? `a ${format}`;
}

/** More broken rules than one answer lists. Typebox stops at 8 otherwise, and counts some twice. */
const mostErrors = 400;

/** Teaches typebox the contract's formats and lets it report every broken rule. May be called again. */
export function prepareValidation(): void {
  Settings.Set({ maxErrors: mostErrors });
  for (const [name, { has }] of Object.entries(formats)) Format.Set(name, has);
}
