import {
  accessByRole,
  accessWith,
  scopes as allScopes,
  type Role,
  type Scope,
  scopeTexts,
} from '../../contract/roles.ts';
import { readOauthClient } from '../db/identity/oauth-clients.ts';
import { builtInApp } from '../identity/credential-rights.ts';
import type { App } from '../identity/oauth-grants.ts';
import { listOwnAccounts } from '../identity/sessions.ts';
import { renderFields, textField } from '../web/form-fields.ts';
import { button } from '../web/forms.ts';
import { type Html, type HtmlContent, html } from '../web/html.ts';
import type { PageContext } from '../web/visit.ts';
import { PageError, type SmallPage } from '../web/web-page.ts';

/** The scopes in a `scope` parameter, which was checked before. */
export function toScopes(parameter: unknown): Scope[] {
  const asked = String(parameter ?? '').split(' ');
  return allScopes.filter((scope) => asked.includes(scope));
}

export function isBuiltIn({ id }: Pick<App, 'id'>): boolean {
  return id === builtInApp.id;
}

interface Question {
  readonly app: App;
  readonly scopes: readonly Scope[];
  /** Where the app is, such as " on another device". */
  readonly place?: string;
  /** What the person has to know before they agree. */
  readonly warning: HtmlContent;
  /** What happens next. */
  readonly next?: HtmlContent;
}

/** Asks a person whether an app may act for them. Throws a page if they have no account that it can be connected to. */
export async function askForConsent(
  context: PageContext,
  { app, scopes, place = '', warning, next }: Question,
): Promise<Omit<SmallPage, 'body'> & { readonly fields: Html }> {
  const accounts = await listAccountsFor(context, app);
  const [only, ...others] = accounts;
  const isOne = others.length === 0;
  return {
    title: `Connect ${app.name}`,
    lead: html`<strong>${app.name}</strong>${place} wants to use ${isOne ? html`<strong>${only?.name}</strong>` : 'one of your accounts'} on your behalf.`,
    footer: 'You can revoke access at any time under Connected apps.',
    fields: html`${isOne ? '' : renderAccounts(accounts)}
${renderRights(scopes, isOne ? only?.role : undefined, app)}
${warning}
<p class="quiet">Signed in as ${context.user.name} (${context.user.email}).${next}</p>
<div class="actions">${button({ label: 'Allow', kind: 'primary', name: 'decision', value: 'allow' })}${button({ label: 'Cancel', name: 'decision', value: 'cancel' })}</div>`,
  };
}

type OwnAccounts = Awaited<ReturnType<typeof listOwnAccounts>>;

/** The accounts that the person can connect an app to: of an app that an account has registered, only that one. */
async function listAccountsFor(context: PageContext, app: App): Promise<OwnAccounts> {
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

function renderAccounts(accounts: OwnAccounts): Html {
  const account = textField({
    label: 'Account',
    type: 'radio',
    choices: Object.fromEntries(
      accounts.map(({ id, name, role }) => [id, { label: name, hint: `Your role: ${role}` }]),
    ),
  });
  const current = accounts.find((one) => one.current)?.id ?? '';
  return renderFields({ account }, { values: { account: current } });
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

/** What an app may do, in words, and with a known role also what the role does not allow. */
function renderRights(scopes: readonly Scope[], role: Role | undefined, app: App): Html {
  const items = scopes.map((scope) => {
    if (role === undefined) return { text: scopeTexts[scope], access: 'all' };
    const access = accessWith(role, scope);
    return { text: access === 'none' ? scopeTexts[scope] : describeScope(scope, role), access };
  });
  const allowed = items.filter(({ access }) => access !== 'none');
  const beyond = items.filter(({ access }) => access === 'none');
  const keys = 'api_keys:write';
  const createsKeys = scopes.includes(keys) && (role === undefined || accessWith(role, keys) !== 'none');
  return html`<div><h2>It will be able to</h2>
<ul class="rights">${allowed.map(({ text, access }) => html`<li>${text}${access === 'own' && ' (only your own)'}</li>`)}</ul>
${createsKeys && html`<p class="quiet">An API key that it creates ${isBuiltIn(app) ? 'is yours: it stays valid when you disconnect it' : 'is revoked when you disconnect it'}.</p>`}
${beyond.length > 0 && html`<p class="quiet">It also asks for what your role (${role}) does not allow. It can do this only if you are given a higher role: ${joinTexts(beyond)}.</p>`}
${role === undefined && html`<p class="quiet">It can never do more than your role in the account allows.</p>`}</div>`;
}

function joinTexts(items: readonly { text: string }[]): string {
  return items.map(({ text }) => text.slice(0, 1).toLowerCase() + text.slice(1)).join('; ');
}

/** What a scope allows with a role, which may do only part of it. */
export function describeScope(scope: Scope, role: Role): string {
  if (scope === 'clients:write' && accessByRole['clients.delete'][role] === 'none') {
    return 'Add and change clients';
  }
  if (scope === 'payments:write' && accessByRole['payments.refund'][role] === 'none') {
    return 'Record payments';
  }
  return scopeTexts[scope];
}
