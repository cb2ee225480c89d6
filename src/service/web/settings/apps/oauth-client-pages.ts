import {
  type CreatedOauthClient,
  newOauthClient,
  type OauthClient,
  type OauthFlow,
} from '../../../../contract/oauth-client.ts';
import { scopes as allScopes, scopeTexts } from '../../../../contract/roles.ts';
import {
  createOauthClient,
  deleteOauthClient,
  getOauthClient,
  listAllOauthClients,
  rotateOauthClientSecret,
} from '../../../identity/oauth-clients.ts';
import {
  actionRow,
  badge,
  code,
  day,
  detailList,
  intro,
  linkButton,
  section,
  shownOnce,
  table,
} from '../../components.ts';
import { field, renderFields } from '../../form-fields.ts';
import { button, confirmationPage, form, onForm } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../visit.ts';
import type { WebPage } from '../../web-page.ts';

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

export const oauthClientsPath = '/settings/oauth-clients';

export const flowTexts: Readonly<Record<OauthFlow, { label: string; hint: string }>> = {
  authorization_code: {
    label: 'A person approves in the browser',
    hint: 'Authorization code with PKCE. Needs a redirect URI.',
  },
  device_code: { label: 'A person types a code', hint: 'For devices without a browser.' },
  client_credentials: {
    label: 'The app acts on its own',
    hint: 'Client credentials. Needs a confidential client and a role.',
  },
};

const typeTexts = {
  confidential: { label: 'Confidential', hint: 'Runs on a server that can keep a secret.' },
  public: { label: 'Public', hint: "Runs on people's devices." },
} as const;

const { name, type, flows, redirect_uris, scopes, role } = newOauthClient.properties;
const clientFields = {
  name: field(name, { label: 'Name', hint: name.description, hasFocus: true }),
  type: field(type, { label: 'Type', type: 'radio', choices: typeTexts }),
  flows: field(flows, { label: 'How it gets access', choices: flowTexts }),
  redirect_uris: field(redirect_uris, {
    label: 'Redirect URIs',
    hint: 'Where people return, one per line, such as https://shop.example/callback.',
    isOptional: true,
  }),
  scopes: field(scopes, {
    label: 'Allowed scopes',
    choices: Object.fromEntries(allScopes.map((one) => [one, { label: scopeTexts[one], hint: one }])),
    isTwoColumns: true,
  }),
  role: field(role, {
    label: 'Role of the app',
    hint: 'Only for an app that acts on its own.',
    isOptional: true,
  }),
};

export const newOauthClientPage: WebPage = {
  async render(context, refused) {
    const values = { type: type.default, flows: [...flows.default] };
    const body = html`${renderFields(clientFields, { values, refused })}${button({ label: 'Add OAuth client', kind: 'primary' })}`;
    return html`<section class="card">${form(context, { name: 'add', body })}</section>`;
  },

  forms: {
    add: onForm(clientFields, async (context: PageContext, values) =>
      renderNewClient(context, await createOauthClient(context, values)),
    ),
  },
};

/** A client with its new secret, which is shown only on this page. */
export function renderNewClient({ origin }: PageContext, created: CreatedOauthClient): Html {
  const details = detailList([
    ['Name', created.name],
    ['Client ID', code(created.id)],
    ['Metadata', code(`${origin}/.well-known/oauth-authorization-server`)],
  ]);
  return html`${created.secret !== null && shownOnce({ label: 'Client secret', value: created.secret })}
<section class="card">${details}</section>
${actionRow(linkButton({ href: oauthClientsPath, label: 'Done', isPrimary: true }))}`;
}
