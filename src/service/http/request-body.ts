import type { FastifyRequest } from 'fastify';
import { Compile } from 'typebox/schema';
import { SalonError, type Violation } from '../../contract/errors.ts';
import { invalidBody } from '../domain/validation.ts';
import { compileSizeCheck } from './body-size-check.ts';
import { type SchemaViolation, toSchemaViolations } from './validation-errors.ts';

/** Violations in one response: a body may have a hundred thousand unknown fields. */
const maxViolations = 100;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const json = /^application\/json *(?:; *charset *= *"?utf-8"? *)?$/i;

/**
 * Parses the bytes in `request.body` as JSON. No bytes mean no body, whatever the headers say.
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
