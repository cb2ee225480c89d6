import type { Context } from '../domain/context.ts';
import { createTicket, readTicket } from './tickets.ts';

const nonceBytes = 16;

/**
 * The value of a cookie by which a browser is known in which a person has signed in before (OWASP's device cookie).
 * Attempts from it have a limit of their own, so that strangers cannot lock the person out.
 */
export function createDeviceCookie(
  context: Pick<Context, 'environment' | 'secrets'>,
  userId: string,
): string {
  const nonce = Buffer.from(context.environment.random(nonceBytes)).toString('base64url');
  return createTicket(context, 'known_browser', { nonce, userId });
}

/** The nonce of a mark that was made for a person; undefined for every other text. */
export function readDeviceCookie(
  context: Pick<Context, 'environment' | 'secrets'>,
  mark: string | undefined,
  userId: string,
): string | undefined {
  const known = mark === undefined ? undefined : readTicket(context, 'known_browser', mark);
  return known?.userId === userId ? known.nonce : undefined;
}
