import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type InteractionResults, type Provider } from 'oidc-provider';
import { createGrant } from '../identity/oauth-grants.ts';
import { notice } from '../web/components.ts';
import { form } from '../web/forms.ts';
import { html } from '../web/html.ts';
import { PageError, type WebPage } from '../web/web-page.ts';
import { askForConsent, chooseAccount, isBuiltIn, toScopes } from './consent.ts';
import { lifetimes } from './issuer.ts';

/** The request of a browser for a page, as oidc-provider takes it. */
interface ProviderExchange {
  readonly provider: Provider;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** `/oauth/consent/:uid`: asks a person whether an app may act for them. */
export function createConsentPage({ provider, request, response }: ProviderExchange): WebPage {
  /** Returns the URL that leads the person back to the app. */
  const finish = (result: InteractionResults) =>
    provider.interactionResult(request, response, result, { mergeWithLastSubmission: false });

  return {
    async render(context) {
      const { app, scopes, redirectUri } = await readAuthorization(context.params['uid']);
      const { fields, ...page } = await askForConsent(context, {
        app,
        scopes,
        warning:
          isBuiltIn(app) &&
          notice({
            tone: 'warning',
            body: html`Continue only if you have just run <code>salon auth login</code> on this device.`,
          }),
        next: html` Next, you return to <strong>${toPlace(redirectUri)}</strong>.`,
      });
      const body = form(context, { name: 'consent', body: fields });
      return { ...page, formTargets: toFormTargets(redirectUri), body };
    },

    forms: {
      async consent(context, sent) {
        const { app, scopes } = await readAuthorization(context.params['uid']);
        if (sent.get('decision') !== 'allow') {
          const refusal = { error: 'access_denied', error_description: 'The request was denied.' };
          return { redirect: await finish(refusal) };
        }
        const chosen = await chooseAccount(context, app, sent.get('account'));
        const lifetimeMs = lifetimes.interaction * 1000;
        const { address } = chosen.source;
        const grantId = await chosen.database.transaction('service', (tx) =>
          createGrant(tx, chosen, { client: app, scopes, address, lifetimeMs }),
        );
        const login = { accountId: chosen.user.id, remember: false };
        return { redirect: await finish({ login, consent: { grantId } }) };
      },
    },
  };

  /** What the person is asked about in this browser. Throws a page that says why there is nothing. */
  async function readAuthorization(uid: string | undefined) {
    const interaction = await provider.interactionDetails(request, response).catch((error) => {
      if (error instanceof errors.SessionNotFound) return undefined;
      throw error;
    });
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
}

/** Where a redirect URI leads, as people call it. */
function toPlace(uri: string): string {
  const { protocol, hostname } = new URL(uri);
  if (protocol === 'http:') return 'an app on this device';
  return protocol === 'https:' ? hostname : `the app ${protocol.slice(0, -1)}`;
}

/** What the browser has to let the form lead to. A policy cannot name an IPv6 address or the path of an app. */
function toFormTargets(uri: string): string[] {
  const { protocol, origin, hostname } = new URL(uri);
  return [protocol === 'https:' || (protocol === 'http:' && !hostname.startsWith('[')) ? origin : protocol];
}
