import type { FastifyRequest } from 'fastify';
import { SalonError } from '../../contract/errors.ts';

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

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'The body is not UTF-8';
    throw new SalonError('malformed_json', `${reason}.`, { cause: error });
  }
}
