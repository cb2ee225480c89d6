import { SalonError } from '../../contract/errors.ts';

const bearer = /^bearer +([^\s]+) *$/i;
const headerName = 'authorization';

/**
 * The key of a request, from Node's raw header list: the joined headers keep only the first of two
 * Authorization headers, and a request that carries two must not pass with either.
 * Throws `authentication_required`.
 */
export function readCredential(rawHeaders: readonly string[]): string {
  let found: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === headerName.length && name.toLowerCase() === headerName) {
      if (found !== undefined) {
        throw new SalonError(
          'authentication_required',
          'The request carries more than one Authorization header.',
        );
      }
      found = rawHeaders[at + 1] ?? '';
    }
  }
  if (found === undefined) {
    throw new SalonError('authentication_required', 'The request carries no Authorization header.');
  }
  const key = bearer.exec(found)?.[1];
  if (key === undefined) {
    throw new SalonError('authentication_required', 'The Authorization header is not "Bearer <key>".');
  }
  return key;
}
