import type { Role } from '../../contract/roles.ts';
import { readOauthClient } from '../db/identity/oauth-clients.ts';
import type { App } from '../identity/oauth-grants.ts';
import { listOwnAccounts } from '../identity/sessions.ts';
import { PageError } from '../web/error-page.ts';
import { choiceField } from '../web/form-fields.ts';
import { type Html, html } from '../web/html.ts';
import type { PageContext } from '../web/page-context.ts';
import { isBuiltIn } from './authorization.ts';

/** An account of the person that an app may be connected to. */
interface OwnAccount {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Whether the session works in it. */
  readonly current: boolean;
}

/**
 * The accounts that the person can connect an app to: of an app that an account has registered, only that one. Throws
 * a page if there is none.
 */
export async function listAccountsFor(context: PageContext, app: App): Promise<readonly OwnAccount[]> {
  const own = await listOwnAccounts(context);
  if (isBuiltIn(app)) return own;
  const owner = (await readOauthClient(context.database.reader, app.id))?.account_id;
  const fitting = own.filter(({ id }) => id === owner);
  if (fitting.length > 0) return fitting;
  throw new PageError(403, {
    title: 'This app belongs to another account',
    reason: `${app.name} can be connected only by members of the account that registered it. You are signed in as ${context.user.email}.`,
  });
}

/** The choice between several accounts; nothing for one. */
export function accountField(accounts: readonly OwnAccount[]): Html {
  if (accounts.length < 2) return html``;
  return choiceField({
    label: 'Account',
    name: 'account',
    choices: accounts.map(({ id, name, role, current }) => ({
      value: id,
      label: name,
      hint: `Your role: ${role}`,
      isChosen: current,
    })),
  });
}

/** The context of the person in the chosen account. Throws a page for an account that the app cannot be connected to. */
export async function chooseAccount(
  context: PageContext,
  app: App,
  accountId: string | null,
): Promise<PageContext> {
  const accounts = await listAccountsFor(context, app);
  const [only, ...others] = accounts;
  const chosen =
    others.length === 0 && accountId === null ? only : accounts.find(({ id }) => id === accountId);
  if (chosen === undefined) {
    throw new PageError(400, {
      title: 'No account chosen',
      reason: 'Go back and choose one of your accounts.',
    });
  }
  const account = { ...context.caller.account, id: chosen.id, name: chosen.name };
  return { ...context, caller: { ...context.caller, account, role: chosen.role } };
}
