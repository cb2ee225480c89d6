import { scopeTexts } from '../../../../contract/roles.ts';
import { countOf } from '../../../../text/numbers.ts';
import {
  type ConnectedApp,
  disconnectApp,
  getConnectedApp,
  listConnectedApps,
} from '../../../identity/oauth-grants.ts';
import { intro, linkButton, section, table, time } from '../../components.ts';
import { confirmationPage } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../visit.ts';
import type { WebPage } from '../../web-page.ts';

const appsPath = '/settings/apps';

/** Settings → Connected apps: what people have allowed to act on their behalf. */
export const appsPage: WebPage = {
  async render(context) {
    const apps = await listConnectedApps(context);
    const isOwner = context.caller.role === 'owner';
    return html`${intro({
      lead: isOwner
        ? 'Apps that members of this account have allowed to act on their behalf.'
        : 'Apps that you have allowed to act on your behalf in this account.',
    })}
${section({ title: 'Apps', body: renderApps(context, apps) })}`;
  },
};

function renderApps(context: PageContext, apps: readonly ConnectedApp[]): Html {
  const columns = ['App', 'Rights', 'Connected', 'Last renewed'];
  const rows = apps.map(({ id, app, user, scopes, address, created_at, last_used_at }) => [
    html`<strong>${app.name}</strong><span class="detail">${user.id === context.user.id ? 'On your behalf' : `On behalf of ${user.name}`}</span>`,
    html`<details><summary>${countOf(scopes.length, 'rights')}</summary><ul>${scopes.map((scope) => html`<li>${scopeTexts[scope]}</li>`)}</ul></details>`,
    html`${time(created_at)}<span class="detail">${address === null ? '' : `From ${address}`}</span>`,
    time(last_used_at),
    linkButton({
      href: `${appsPath}/${id}/disconnect`,
      label: 'Disconnect',
      isSmall: true,
      about: `${app.name}, ${user.name}`,
    }),
  ]);
  const empty = html`No connected apps. <code>salon auth login</code> connects the command line.`;
  return table({ caption: 'Connected apps', columns, actions: 'Change', rows, empty });
}

export const disconnectAppPage = confirmationPage({
  form: 'disconnect',
  read: (context) => getConnectedApp(context, context.params['id'] ?? ''),
  ask: ({ app, user }) => ({
    body: html`<p><strong>${app.name}</strong> immediately loses its access on behalf of ${user.name}. To connect again, it has to ask.</p>`,
    label: 'Disconnect',
    cancel: appsPath,
  }),
  async act(context, { id, app }) {
    await disconnectApp(context, id);
    return { redirect: appsPath, notice: `Disconnected ${app.name}.` };
  },
});
