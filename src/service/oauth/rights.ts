import type { Role, Scope } from '../../contract/roles.ts';
import { accessWith, describeScope, scopeTexts } from '../../contract/scope-texts.ts';
import type { App } from '../identity/oauth-grants.ts';
import { type Html, html } from '../web/html.ts';
import { isBuiltIn } from './authorization.ts';

/** What an app may do, in words, and with a known role also what the role does not allow. */
export function renderRights(scopes: readonly Scope[], role: Role | undefined, app: App): Html {
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
