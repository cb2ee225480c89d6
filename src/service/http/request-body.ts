import type { FastifyRequest } from 'fastify';
import { Compile } from 'typebox/schema';
import { SalonError, type Violation } from '../../contract/errors.ts';
import { invalidBody, invalidField } from '../domain/validation.ts';
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
    const detail = `The body is encoded with ${encoding}. Send it without an encoding.`;
    throw new SalonError('unsupported_media_type', detail);
  }
  if (mediaType === undefined || !json.test(mediaType)) {
    const actual = mediaType === undefined ? 'but has no Content-Type' : `not ${mediaType}`;
    const detail = `The body must be application/json in UTF-8, ${actual}.`;
    throw new SalonError('unsupported_media_type', detail);
  }
  return parseJson(bytes);
}

/** Compiles the validation of an operation's body. All violations end in one `validation_failed`. */
export function compileBody(schema: object): (body: unknown) => { value: unknown } | { error: SalonError } {
  const validator = Compile(schema);
  return (body) => {
    // Fastify passes null for a missing body, so a body of `null` is reported as missing, too.
    if (body === null) return { error: invalidField('', 'A JSON object is required.', 'required') };
    const tooLarge = findTooLarge(schema, body, '');
    if (tooLarge.length === 0 && validator.Check(body)) return { value: body };
    const violations = tooLarge.length > 0 ? tooLarge : toSchemaViolations(validator.Errors(body)[1]);
    return { error: invalidBody(toViolations(violations)) };
  };
}

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
