import type { Caller, Context } from '../domain/context.ts';

/** The caller with an OAuth access token; undefined for an unknown one. Throws `invalid_token`. */
export async function readAccessToken(
  _context: Pick<Context, 'database' | 'environment'>,
  _token: string,
): Promise<Caller | undefined> {
  return undefined;
}
