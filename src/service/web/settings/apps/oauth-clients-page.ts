import type { OauthClient, OauthFlow } from '../../../../contract/oauth-client.ts';
import { scopes as allScopes } from '../../../../contract/roles.ts';
import {
  deleteOauthClient,
  getOauthClient,
  listAllOauthClients,
  rotateOauthClientSecret,
} from '../../../identity/oauth-clients.ts';
import { badge, code, day, intro, linkButton, section, table } from '../../components.ts';
import { confirmationPage } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../visit.ts';
import type { WebPage } from '../../web-page.ts';
import { flowTexts, oauthClientsPath, renderNewClient } from './new-oauth-client-page.ts';

/** Settings → OAuth clients: the apps that the account has registered. */
export const oauthClientsPage: WebPage = {
  async render(context) {
    const clients = await listAllOauthClients(context);
    return html`${intro({
      lead: 'Apps that ask members of this account for access or act on their own. The command line needs no client.',
      actions: linkButton({ href: `${oauthClientsPath}/new`, label: 'Add OAuth client', isPrimary: true }),
    })}
${section({ title: 'OAuth clients', body: renderClients(clients) })}`;
  },
};

function renderClients(clients: readonly OauthClient[]): Html {
  const columns = ['App', 'Flows', 'Rights', 'Added'];
  const rows = clients.map((client) => [
    html`<strong>${client.name}</strong> ${badge(client.type)}<span class="detail">${code(client.id)}</span>`,
    html`${client.flows.map((flow: OauthFlow) => html`<span class="detail">${flowTexts[flow].label}</span>`)}${client.redirect_uris.map((uri) => html`<span class="detail">${code(uri)}</span>`)}`,
    html`${client.role !== null && badge(client.role)}<span class="detail">${client.scopes.length === allScopes.length ? 'Every scope' : client.scopes.join(', ')}</span>`,
    html`${day(client.created_at)}${client.secret_expires_at !== null && html`<span class="detail">Secret expires ${day(client.secret_expires_at)}</span>`}`,
    renderActions(client),
  ]);
  return table({
    caption: 'OAuth clients',
    columns,
    actions: 'Change',
    rows,
    empty: 'No OAuth clients yet.',
  });
}

function renderActions({ id, name, type }: OauthClient): Html {
  const link = (verb: 'rotate' | 'delete', label: string) =>
    linkButton({ href: `${oauthClientsPath}/${id}/${verb}`, label, isSmall: true, about: `for ${name}` });
  return html`${type === 'confidential' && link('rotate', 'New secret')}${link('delete', 'Delete')}`;
}

export const rotateOauthClientPage = confirmationPage({
  form: 'rotate',
  read: readClient,
  ask: ({ name }) => ({
    body: html`<p><strong>${name}</strong> gets a new secret. The current one stops working at once. Connected people stay connected.</p>`,
    label: 'Create new secret',
    cancel: oauthClientsPath,
  }),
  act: async (context, { id }) => renderNewClient(context, await rotateOauthClientSecret(context, id)),
});

export const deleteOauthClientPage = confirmationPage({
  form: 'delete',
  read: readClient,
  ask: ({ name }) => ({
    body: html`<p><strong>${name}</strong> stops working at once for everyone who has connected it. This cannot be undone.</p>`,
    label: 'Delete client',
    cancel: oauthClientsPath,
  }),
  async act(context, { id, name }) {
    await deleteOauthClient(context, id);
    return { redirect: oauthClientsPath, notice: `Deleted the OAuth client ${name}.` };
  },
});

function readClient(context: PageContext): Promise<OauthClient> {
  return getOauthClient(context, context.params['id'] ?? '');
}
