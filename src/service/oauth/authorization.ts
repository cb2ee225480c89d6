import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type Provider } from 'oidc-provider';
import {
  accessWith,
  scopes as allScopes,
  describeScope,
  type Role,
  type Scope,
  scopeTexts,
} from '../../contract/roles.ts';
import { builtInApp } from '../identity/built-in-app.ts';
import type { App } from '../identity/oauth-grants.ts';
import { PageError } from '../web/error-page.ts';
import { type Html, html } from '../web/html.ts';

/** The request of a browser for a page, as oidc-provider takes it. */
export interface ProviderExchange {
  readonly provider: Provider;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What an app asks a person for. */
export interface ConsentRequest {
  readonly app: App;
  readonly scopes: readonly Scope[];
  /** Where the person returns to. */
  readonly redirectUri: string;
}

/** The request that a person is asked about in this browser. Throws a page that says why there is none. */
export async function readAuthorization(
  { provider, request, response }: ProviderExchange,
  uid: string | undefined,
): Promise<ConsentRequest> {
  const interaction = await findInteraction({ provider, request, response });
  const { params } = interaction ?? {};
  const client = await provider.Client.find(String(params?.['client_id']));
  if (interaction?.uid !== uid || params === undefined || client === undefined) {
    throw new PageError(400, {
      title: 'This request has expired',
      reason:
        'It is too old, was already answered, or was started in another browser. Start again in the app.',
    });
  }
  return {
    app: { id: client.clientId, name: client.clientName ?? client.clientId },
    scopes: toScopes(params['scope']),
    redirectUri: String(params['redirect_uri']),
  };
}

async function findInteraction({ provider, request, response }: ProviderExchange) {
  try {
    return await provider.interactionDetails(request, response);
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  }
}

/** The scopes in a `scope` parameter, which was checked before. */
export function toScopes(parameter: unknown): Scope[] {
  const asked = String(parameter ?? '').split(' ');
  return allScopes.filter((scope) => asked.includes(scope));
}

export function isBuiltIn({ id }: Pick<App, 'id'>): boolean {
  return id === builtInApp.id;
}

/** Returns the URL that leads the person back to the app, with a code. */
export function acceptAuthorization(
  { provider, request, response }: ProviderExchange,
  { userId, grantId }: { userId: string; grantId: string },
): Promise<string> {
  const result = { login: { accountId: userId, remember: false }, consent: { grantId } };
  return provider.interactionResult(request, response, result);
}

/** Returns the URL that leads the person back to the app, with the refusal. */
export function refuseAuthorization({ provider, request, response }: ProviderExchange): Promise<string> {
  const result = { error: 'access_denied', error_description: 'The request was denied.' };
  return provider.interactionResult(request, response, result, { mergeWithLastSubmission: false });
}

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
