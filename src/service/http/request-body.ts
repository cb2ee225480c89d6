import type { FastifyRequest } from 'fastify';
import { Compile } from 'typebox/schema';
import { SalonError, type Violation } from '../../contract/errors.ts';
import { invalidBody } from '../domain/validation.ts';
import { toSchemaViolations } from './validation-errors.ts';

/** An answer lists no more than this: a body may hold a hundred thousand unknown members. */
const mostViolations = 100;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const json = /^application\/json *(?:; *charset *= *"?utf-8"? *)?$/i;

/**
 * Reads the bytes of a body, in `request.body`, as JSON; no bytes are no body, whatever the headers announce.
 * Throws `unsupported_media_type` and `malformed_json`, which names the place.
 */
export function parseJsonBody(request: FastifyRequest): unknown {
  const bytes = request.body;
  if (!(bytes instanceof Uint8Array) || bytes.length === 0) {
    return undefined;
  }
  const { 'content-type': mediaType, 'content-encoding': encoding } = request.headers;
  if (encoding !== undefined) {
    throw new SalonError('unsupported_media_type', `The body is encoded with ${encoding}; send it as it is.`);
  }
  if (mediaType === undefined || !json.test(mediaType)) {
    throw new SalonError(
      'unsupported_media_type',
      `The body must be application/json in UTF-8, not ${mediaType ?? 'of no type'}.`,
    );
  }
  return parseJson(bytes);
}

/** Makes the check of one operation's body: every broken rule is a violation of `validation_failed`. */
export function compileBody(schema: object): (body: unknown) => { value: unknown } | { error: SalonError } {
  const validator = Compile(schema);
  return (body) => {
    if (validator.Check(body)) {
      return { value: body };
    }
    return { error: invalidBody(body === null ? missingBody : toViolations(validator.Errors(body)[1])) };
  };
}

// Fastify hands null to a check when there was no body, so a body that says null is one that is missing too.
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

function toViolations(errors: Parameters<typeof toSchemaViolations>[0]): Violation[] {
  return toSchemaViolations(errors)
    .slice(0, mostViolations)
    .map(({ pointer, code, rule }) => ({
      pointer,
      code,
      detail: `${pointer === '' ? 'The body' : pointer} ${rule}.`,
    }));
}
