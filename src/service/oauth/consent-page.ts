import { createGrant } from '../identity/oauth-grants.ts';
import { notice } from '../web/components.ts';
import { button, form } from '../web/form-fields.ts';
import { html } from '../web/html.ts';
import { renderSmallPage } from '../web/layout.ts';
import { toPageContext } from '../web/page-context.ts';
import type { WebPage } from '../web/page-response.ts';
import {
  acceptAuthorization,
  isBuiltIn,
  type ProviderExchange,
  readAuthorization,
  refuseAuthorization,
  renderRights,
} from './authorization.ts';
import { accountField, chooseAccount, listAccountsFor } from './consent-accounts.ts';
import { lifetimes } from './issuer.ts';

/** `/oauth/consent/:uid`: asks a person whether an app may act for them. */
export function createConsentPage(exchange: ProviderExchange): WebPage {
  return {
    isPrivate: true,

    async render(visit) {
      const { app, scopes, redirectUri } = await readAuthorization(exchange, visit.params['uid']);
      const context = toPageContext(visit);
      const accounts = await listAccountsFor(context, app);
      const [only, ...others] = accounts;
      const fields = html`${accountField(accounts)}
${renderRights(scopes, others.length === 0 ? only?.role : undefined, app)}
${isBuiltIn(app) && notice({ tone: 'warning', body: html`Continue only if you have just run <code>salon auth login</code> on this device.` })}
<p class="quiet">Signed in as ${context.user.name} (${context.user.email}). Next, you return to <strong>${toPlace(redirectUri)}</strong>.</p>
<div class="actions">${button({ label: 'Allow', kind: 'primary', name: 'decision', value: 'allow' })}${button({ label: 'Cancel', name: 'decision', value: 'cancel' })}</div>`;
      return {
        formTargets: toFormTargets(redirectUri),
        html: renderSmallPage({
          title: `Connect ${app.name}`,
          lead: html`<strong>${app.name}</strong> wants to use ${others.length === 0 ? html`<strong>${only?.name}</strong>` : 'one of your accounts'} on your behalf.`,
          body: form({ name: 'consent', csrf: visit.csrf, body: fields }),
          footer: 'You can revoke access at any time under Connected apps.',
        }),
      };
    },

    async accept(visit, sent) {
      const { app, scopes } = await readAuthorization(exchange, visit.params['uid']);
      if (sent.get('decision') !== 'allow') return { redirect: await refuseAuthorization(exchange) };
      const context = await chooseAccount(toPageContext(visit), app, sent.get('account'));
      const lifetimeMs = lifetimes.interaction * 1000;
      const { address } = context.source;
      const grantId = await context.database.transaction('service', (tx) =>
        createGrant(tx, context, { client: app, scopes, address, lifetimeMs }),
      );
      return { redirect: await acceptAuthorization(exchange, { userId: context.user.id, grantId }) };
    },
  };
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
