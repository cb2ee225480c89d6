import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type Provider } from 'oidc-provider';
import { scopes as allScopes, type Scope } from '../../contract/roles.ts';
import { builtInApp } from '../identity/built-in-app.ts';
import type { App } from '../identity/oauth-grants.ts';
import { PageError } from '../web/error-page.ts';

/** The request of a browser for a page, as oidc-provider takes it. */
export interface ProviderExchange {
  readonly provider: Provider;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What an app asks a person for. */
export interface Authorization {
  readonly app: App;
  readonly scopes: readonly Scope[];
  /** Where the person returns to. */
  readonly redirectUri: string;
}

/** The request that a person is asked about in this browser. Throws a page that says why there is none. */
export async function readAuthorization(
  { provider, request, response }: ProviderExchange,
  uid: string | undefined,
): Promise<Authorization> {
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
