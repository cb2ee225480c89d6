import { sessionLimits } from '../../../contract/limits.ts';
import type { SignInResult } from '../../identity/identity.ts';
import { toLifetimeSeconds } from '../../identity/tickets.ts';
import { parseLocalPath } from '../local-path.ts';
import type { PageResponse } from '../page-response.ts';
import type { PageVisit } from '../visit.ts';

export const returnField = 'return_to';

/** The page to show after signing in. */
export function readReturnPath(values: URLSearchParams): string {
  return parseLocalPath(values.get(returnField), '/settings');
}

/** A page of the sign-in, with the path to return to. */
export function toSignInPath(path: string, returnTo: string): string {
  return `${path}?${new URLSearchParams({ [returnField]: returnTo })}`;
}

type Continuing = Exclude<SignInResult, { status: 'refused' }>;

/** Keeps the session in the browser, or asks for the second factor. */
export function continueSignIn(
  { context, cookies }: PageVisit,
  result: Continuing,
  { returnTo, notice }: { returnTo: string; notice?: string },
): PageResponse {
  if (result.status === 'second_factor') {
    cookies.set('ticket', result.ticket);
    return { redirect: toSignInPath('/sign-in/code', returnTo) };
  }
  if (result.stranger !== undefined) {
    context.identity.notify?.(
      context,
      result.stranger,
      'Somebody signed in to your account in a new browser',
    );
  }
  cookies.set('session', result.token, sessionLimits.totalMs / 1000);
  cookies.set('device', result.device, toLifetimeSeconds('known_browser'));
  cookies.clear('ticket');
  // Its forms belong to nobody; those of the session have a secret of their own.
  cookies.clear('form');
  return { redirect: returnTo, ...(notice === undefined ? {} : { notice }) };
}
