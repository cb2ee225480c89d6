import type { CreatedOauthClient } from '../../../../contract/oauth-client.ts';
import { createOauthClient } from '../../../identity/oauth-clients.ts';
import { actionRow, code, detailList, linkButton, shownOnce } from '../../components.ts';
import { toFieldErrors } from '../../form-fields.ts';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../page-context.ts';
import type { SettingsPage } from '../settings-page.ts';
import { clientFields, oauthClientsPath, readClientForm, renderClientForm } from './oauth-client-form.ts';

export const newOauthClientPage: SettingsPage = {
  path: `${oauthClientsPath}/new`,
  title: 'Add OAuth client',
  group: 'Integrations',
  parent: oauthClientsPath,
  action: 'oauth_clients.write',
  isSensitive: true,

  render: async (context) => renderClientForm(context, {}),

  forms: {
    async add(context, sent) {
      const read = readClientForm(sent);
      if ('errors' in read) {
        return { page: renderClientForm(context, { sent, errors: read.errors }), status: 422 };
      }
      try {
        return { page: renderNewClient(context, await createOauthClient(context, read.body)) };
      } catch (error) {
        const errors = toFieldErrors(error, clientFields);
        return { page: renderClientForm(context, { sent, errors }), status: 422 };
      }
    },
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
