import { sessionLimits } from '../../contract/limits.ts';
import { insertUsedTicket } from '../db/used-tickets.ts';
import { toTokenHash } from '../identity/random-token.ts';
import { PageError } from './error-page.ts';
import { formTokenField, type Visit } from './visit.ts';

/**
 * Refuses a form that was sent before, byte by byte: with the back button, by loading the answer again, or by somebody
 * who has recorded it. A page that is opened again has another token.
 */
export async function assertSentOnce({ context, path }: Visit, form: URLSearchParams): Promise<void> {
  const now = context.environment.now().getTime();
  const hash = toTokenHash(`form ${form.get(formTokenField)} ${path} ${form}`);
  const ticket = { hash, expires_ms: now + sessionLimits.totalMs };
  if (await context.database.transaction('rows', (tx) => insertUsedTicket(tx, ticket, now))) return;
  throw new PageError(409, {
    title: 'Already sent',
    reason: 'This form was sent before, and nothing was done again. Open the page again to see the result.',
    link: { href: path, label: 'Open the page' },
    refusal: 'form_sent_again',
  });
}
