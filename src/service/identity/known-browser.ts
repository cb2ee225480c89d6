import type { Context } from '../domain/context.ts';

/** How long a browser is known after a sign-in. */
export const knownBrowserSeconds = 180 * 86_400;

const purposeOf = (userId: string) => `known_browser ${userId}`;
const nonceBytes = 16;

/**
 * A cookie by which a browser is known in which a person has signed in before (OWASP's device cookie). Attempts from it
 * have a limit of their own, so that strangers cannot lock the person out.
 */
export function createBrowserMark(
  { environment, secrets }: Pick<Context, 'environment' | 'secrets'>,
  userId: string,
): string {
  const nonce = Buffer.from(environment.random(nonceBytes)).toString('base64url');
  return secrets.seal(JSON.stringify({ nonce, ms: environment.now().getTime() }), purposeOf(userId));
}

/** The nonce of a mark that was made for a person; undefined for every other text. */
export function readBrowserMark(
  { environment, secrets }: Pick<Context, 'environment' | 'secrets'>,
  mark: string | undefined,
  userId: string,
): string | undefined {
  if (mark === undefined) return undefined;
  try {
    const { nonce, ms } = JSON.parse(secrets.open(mark, purposeOf(userId)));
    const isRecent = environment.now().getTime() - ms < knownBrowserSeconds * 1000;
    return isRecent ? nonce : undefined;
  } catch {
    // Sealed by another key, or not at all.
    return undefined;
  }
}
