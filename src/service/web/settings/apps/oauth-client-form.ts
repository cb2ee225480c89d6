import type { BodyOf } from '../../../../contract/endpoints.ts';
import {
  type OauthFlow,
  oauthClientRoles,
  oauthClientTypes,
  oauthFlows,
} from '../../../../contract/oauth-client.ts';
import { scopes, scopeTexts } from '../../../../contract/roles.ts';
import {
  button,
  choiceField,
  errorSummary,
  type FieldErrors,
  form,
  selectField,
  textArea,
  textField,
} from '../../form-fields.ts';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../page-context.ts';

export const oauthClientsPath = '/settings/oauth-clients';

export const clientFields = ['name', 'type', 'flows', 'redirect_uris', 'scopes', 'role'] as const;

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

/** The form that adds an OAuth client, with what it contained when it was sent. */
export function renderClientForm(
  { csrf }: PageContext,
  { sent, errors }: { sent?: URLSearchParams; errors?: FieldErrors },
): Html {
  const isChosen = (name: string, value: string, isDefault: boolean) =>
    sent === undefined ? isDefault : sent.getAll(name).includes(value);
  const body = html`${textField({
    label: 'Name',
    name: 'name',
    hint: 'Shown when people are asked for access.',
    value: sent?.get('name'),
    maxLength: 100,
    hasFocus: errors === undefined,
    errors,
  })}
${choiceField({
  label: 'Type',
  name: 'type',
  choices: oauthClientTypes.map((type) => ({
    value: type,
    ...typeTexts[type],
    isChosen: isChosen('type', type, type === 'confidential'),
  })),
  errors,
})}
${choiceField({
  label: 'How it gets access',
  name: 'flows',
  isMultiple: true,
  choices: oauthFlows.map((flow) => ({
    value: flow,
    ...flowTexts[flow],
    isChosen: isChosen('flows', flow, flow === 'authorization_code'),
  })),
  errors,
})}
${textArea({
  label: 'Redirect URIs',
  name: 'redirect_uris',
  hint: 'Where people return, one per line, such as https://shop.example/callback.',
  value: sent?.get('redirect_uris'),
  isOptional: true,
  errors,
})}
${choiceField({
  label: 'Allowed scopes',
  name: 'scopes',
  isMultiple: true,
  isTwoColumns: true,
  choices: scopes.map((scope) => ({
    value: scope,
    label: scopeTexts[scope],
    hint: scope,
    isChosen: isChosen('scopes', scope, false),
  })),
  errors,
})}
${selectField({
  label: 'Role of the app',
  name: 'role',
  hint: 'Only for an app that acts on its own.',
  options: [{ value: '', label: 'None' }, ...oauthClientRoles.map((role) => ({ value: role, label: role }))],
  value: sent?.get('role'),
  isOptional: true,
  errors,
})}
${button({ label: 'Add OAuth client', kind: 'primary' })}`;
  return html`${errorSummary(errors)}<section class="card">${form({ name: 'add', csrf, body })}</section>`;
}

/** The body that a form asks for, or what is wrong with its choices. */
export function readClientForm(
  sent: URLSearchParams,
): { readonly body: BodyOf<'createOauthClient'> } | { readonly errors: FieldErrors } {
  const name = (sent.get('name') ?? '').trim();
  const type = oauthClientTypes.find((known) => known === sent.get('type'));
  const flows = oauthFlows.filter((flow) => sent.getAll('flows').includes(flow));
  const chosen = scopes.filter((scope) => sent.getAll('scopes').includes(scope));
  const role = oauthClientRoles.find((known) => known === sent.get('role')) ?? null;
  const errors = {
    ...(name === '' && { name: 'Enter a name.' }),
    ...(name.length > 100 && { name: 'Use at most 100 characters.' }),
    ...(flows.length === 0 && { flows: 'Choose at least one.' }),
    ...(chosen.length === 0 && { scopes: 'Choose at least one.' }),
    ...(flows.includes('client_credentials') &&
      type === 'public' && { flows: 'An app that works for itself must be confidential.' }),
    ...(flows.includes('client_credentials') && role === null && { role: 'Choose a role for the app.' }),
    ...(!flows.includes('client_credentials') &&
      role !== null && { role: 'Choose None: only an app that works for itself has a role of its own.' }),
  };
  if (type === undefined) return { errors: { ...errors, type: 'Choose a type.' } };
  if (Object.keys(errors).length > 0) return { errors };
  const lines = (sent.get('redirect_uris') ?? '').split(/\s+/).filter((line) => line !== '');
  return { body: { name, type, flows, redirect_uris: [...new Set(lines)], scopes: chosen, role } };
}
