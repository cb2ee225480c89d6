import type { FastifyRequest } from 'fastify';
import { Compile } from 'typebox/schema';
import { SalonError, type Violation } from '../../contract/errors.ts';
import { invalidBody } from '../domain/validation.ts';
import { type SchemaViolation, toPointer, toSchemaViolations } from './validation-errors.ts';

/** Violations in one response: a body may have a hundred thousand unknown fields. */
const maxViolations = 100;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const json = /^application\/json *(?:; *charset *= *"?utf-8"? *)?$/i;

/**
 * Parses the bytes in `request.body` as JSON. No bytes mean no body, also with other headers.
 * Throws `unsupported_media_type`, and `malformed_json` with the position.
 */
export function parseJsonBody(request: FastifyRequest): unknown {
  const bytes = request.body;
  if (!(bytes instanceof Uint8Array) || bytes.length === 0) return undefined;
  const { 'content-type': mediaType, 'content-encoding': encoding } = request.headers;
  if (encoding !== undefined) {
    throw new SalonError(
      'unsupported_media_type',
      `The body is encoded with ${encoding}. Send it without an encoding.`,
    );
  }
  if (mediaType === undefined || !json.test(mediaType)) {
    throw new SalonError(
      'unsupported_media_type',
      `The body must be application/json in UTF-8, ${mediaType === undefined ? 'but has no Content-Type' : `not ${mediaType}`}.`,
    );
  }
  return parseJson(bytes);
}

/** Compiles the validation of an operation's body. All violations end in one `validation_failed`. */
export function compileBody(schema: object): (body: unknown) => { value: unknown } | { error: SalonError } {
  const validator = Compile(schema);
  const checkSize = compileSizeCheck(schema) ?? (() => []);
  return (body) => {
    if (body === null) return { error: invalidBody(missingBody) };
    const tooLarge = checkSize(body, '');
    if (tooLarge.length === 0 && validator.Check(body)) return { value: body };
    const violations = tooLarge.length > 0 ? tooLarge : toSchemaViolations(validator.Errors(body)[1]);
    return { error: invalidBody(toViolations(violations)) };
  };
}

// Fastify passes null for a missing body, so a body of `null` is reported as missing, too.
const missingBody: readonly Violation[] = [
  { pointer: '', code: 'required', detail: 'A JSON object is required.' },
];

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'The body is not UTF-8';
    throw new SalonError('malformed_json', `${reason}.`, { cause: error });
  }
}

function toViolations(violations: readonly SchemaViolation[]): Violation[] {
  return violations.slice(0, maxViolations).map(({ pointer, code, message }) => ({
    pointer,
    code,
    detail: `${pointer === '' ? 'The body' : pointer} ${message}.`,
  }));
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

/** Finds lists and objects that are too large in a value at a JSON pointer. */
type SizeCheck = (value: unknown, pointer: string) => readonly SchemaViolation[];

const none: readonly SchemaViolation[] = [];

/**
 * Compiles the check for lists that are too long, and for objects with far too many fields. Validating what is in them
 * would take seconds, so nothing else of such a body is looked at. Undefined for a schema that bounds nothing.
 */
function compileSizeCheck(schema: BoundedSchema): SizeCheck | undefined {
  const { maxItems = Number.POSITIVE_INFINITY, items, properties, additionalProperties } = schema;
  if (properties !== undefined) return compileFields(properties, additionalProperties === false);
  const checkItem = items?.properties === undefined ? undefined : compileSizeCheck(items);
  if (schema.maxItems === undefined && checkItem === undefined) return undefined;
  return (value, pointer) => {
    if (!Array.isArray(value)) return none;
    if (value.length > maxItems) {
      return [{ pointer, code: 'out_of_range', message: `must have at most ${maxItems} entries` }];
    }
    return checkItem === undefined
      ? none
      : value.flatMap((item, index) => checkItem(item, `${pointer}/${index}`));
  };
}

function compileFields(
  properties: Readonly<Record<string, BoundedSchema>>,
  isClosed: boolean,
): SizeCheck | undefined {
  const names = new Set(Object.keys(properties));
  const parts = Object.entries(properties).flatMap(([name, part]) => {
    const check = compileSizeCheck(part);
    return check === undefined ? [] : [{ name, check }];
  });
  if (!isClosed && parts.length === 0) return undefined;
  return (value, pointer) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return none;
    const given = Object.keys(value);
    if (isClosed && given.length > names.size + maxUnknownFields) {
      return given
        .filter((name) => !names.has(name))
        .slice(0, maxUnknownFields)
        .map((name) => ({ pointer: toPointer(pointer, name), code: 'unknown_field', message: 'is unknown' }));
    }
    if (parts.length === 0) return none;
    const fields = value as Readonly<Record<string, unknown>>;
    return parts.flatMap(({ name, check }) =>
      Object.hasOwn(fields, name) ? check(fields[name], toPointer(pointer, name)) : none,
    );
  };
}
