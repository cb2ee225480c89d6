/** What a server, proxy or receiver did to cause `isUnaskedContinue`. */
export const unaskedContinue = 'sent 100 Continue, which the request did not ask for';

/**
 * Whether undici ended a connection because of a 100 Continue, which RFC 9110, 15.2, wants read past. It has neither a
 * code of its own for this nor an option.
 */
export function isUnaskedContinue(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown)) return false;
  return thrown.code === 'UND_ERR_SOCKET' && thrown.message === 'bad response';
}
