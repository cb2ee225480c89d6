import type { ServiceUser } from '../domain/context.ts';
import type { Browser, PersonContext } from '../identity/identity.ts';
import type { Html } from './html.ts';
import type { PageVisit } from './visit.ts';

/** What a page knows: the caller is of a session. */
export interface PageContext extends PersonContext {
  readonly user: ServiceUser;
  readonly browser: Browser;
  /** The named parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The hidden fields of every form. */
  readonly csrf: Html;
  /** The origin that clients use, such as `https://salon.example`. */
  readonly origin: string;
}

/** The context of a person who has signed in. Throws for a visit without a session. */
export function toPageContext(
  visit: PageVisit,
  params: Readonly<Record<string, string>> = visit.params,
): PageContext {
  const { context, session, checkAddress, browser, query, origin } = visit;
  if (session?.caller.credential.kind !== 'session')
    throw new Error('A private page was opened without a session.');
  const { caller } = session;
  const { user } = session.caller.credential;
  return {
    ...context,
    checkAddress,
    caller,
    user,
    browser,
    params,
    query,
    origin,
    get csrf() {
      return visit.csrf;
    },
  };
}
