import { isEmbedded } from './embedded.ts';
import { requireBaseUrl, type Session } from './session.ts';

/** Which service a session is with: an origin, or `embedded:` and a name. What is kept on disk is bound to it. */
export function originOf(session: Session): string {
  const baseUrl = requireBaseUrl(session);
  return isEmbedded(baseUrl) ? baseUrl : (URL.parse(baseUrl)?.origin ?? baseUrl);
}
