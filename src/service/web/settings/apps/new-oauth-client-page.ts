import {
  type CreatedOauthClient,
  type OauthFlow,
  oauthClientRoles,
  oauthClientTypes,
  oauthFlows,
} from '../../../../contract/oauth-client.ts';
import { scopes, scopeTexts } from '../../../../contract/roles.ts';
import { createOauthClient } from '../../../identity/oauth-clients.ts';
import { actionRow, code, detailList, linkButton, shownOnce } from '../../components.ts';
import {
  checkboxesField,
  linesField,
  radioField,
  renderFields,
  selectField,
  textField,
  type ValuesOf,
} from '../../form-fields.ts';
import { button, form, onForm } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../visit.ts';
import { type FieldErrors, FormError, type WebPage } from '../../web-page.ts';

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

const fields = {
  name: textField({
    label: 'Name',
    hint: 'Shown when people are asked for access.',
    missing: 'Enter a name.',
    maxLength: 100,
    hasFocus: true,
  }),
  type: radioField({
    label: 'Type',
    choices: oauthClientTypes.map((type) => ({ value: type, ...typeTexts[type] })),
    missing: 'Choose a type.',
  }),
  flows: checkboxesField({
    label: 'How it gets access',
    choices: oauthFlows.map((flow) => ({ value: flow, ...flowTexts[flow] })),
    missing: 'Choose at least one.',
  }),
  redirect_uris: linesField({
    label: 'Redirect URIs',
    hint: 'Where people return, one per line, such as https://shop.example/callback.',
    separator: /\s+/,
    isOptional: true,
  }),
  scopes: checkboxesField({
    label: 'Allowed scopes',
    choices: scopes.map((scope) => ({ value: scope, label: scopeTexts[scope], hint: scope })),
    missing: 'Choose at least one.',
    isTwoColumns: true,
  }),
  role: selectField({
    label: 'Role of the app',
    hint: 'Only for an app that acts on its own.',
    choices: [
      { value: '', label: 'None' },
      ...oauthClientRoles.map((role) => ({ value: role, label: role })),
    ],
    missing: 'Choose a role, or None.',
    isOptional: true,
  }),
};

export const newOauthClientPage: WebPage = {
  async render(context, refused) {
    const values = { type: 'confidential', flows: ['authorization_code'] } satisfies Partial<
      ValuesOf<typeof fields>
    >;
    const body = html`${renderFields(fields, { values, refused })}${button({ label: 'Add OAuth client', kind: 'primary' })}`;
    return html`<section class="card">${form(context, { name: 'add', body })}</section>`;
  },

  forms: {
    add: onForm(fields, async (context: PageContext, values) => {
      const problems = findProblems(values);
      if (Object.keys(problems).length > 0) throw new FormError(problems);
      const { role, redirect_uris, ...others } = values;
      const created = await createOauthClient(context, {
        ...others,
        redirect_uris: [...new Set(redirect_uris)],
        role: role === '' ? null : role,
      });
      return renderNewClient(context, created);
    }),
  },
};

/** What does not fit together. */
function findProblems({ type, flows, role }: ValuesOf<typeof fields>): FieldErrors {
  const actsAlone = flows.includes('client_credentials');
  return {
    ...(actsAlone && type === 'public' && { flows: 'An app that works for itself must be confidential.' }),
    ...(actsAlone && role === '' && { role: 'Choose a role for the app.' }),
    ...(!actsAlone && role !== '' && { role: 'Choose None: only an app that works for itself has a role.' }),
  };
}

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
