import type { PageVisit } from './visit.ts';
import {
  PageError,
  type PageRoute,
  type PublicPageRoute,
  type SettingsPlace,
  type SettingsRoute,
  type WebPage,
} from './web-page.ts';

/**
 * Makes the places of the pages below one of the settings. They ask for the password again, unless `isSensitive` is
 * false.
 */
function placesBelow(parent: string, place: Pick<SettingsRoute, 'action' | 'isForAddingFactor'>) {
  return (path: string, title: string, { isSensitive = true } = {}): SettingsPlace => {
    return { ...place, parent, path: `${parent}/${path}`, title, isSensitive };
  };
}

const team = placesBelow('/settings/team', { action: 'team.write' });
const apiKeys = placesBelow('/settings/api-keys', { action: 'api_keys.write' });
const oauthClients = placesBelow('/settings/oauth-clients', { action: 'oauth_clients.write' });
const webhooks = placesBelow('/settings/webhooks', { action: 'webhooks.write' });
const ownSecurity = { action: 'none', isForAddingFactor: true } as const;
const security = placesBelow('/settings/security', ownSecurity);

/** All pages of the settings; the navigation shows them in this order. */
export const settingsPages: readonly SettingsRoute[] = [
  ...settingsRoutes(() => import('./settings/account-page.ts'), {
    accountPage: { path: '/settings/account', title: 'Account', group: 'Account', action: 'none' },
  }),
  ...settingsRoutes(() => import('./settings/team/team-page.ts'), {
    teamPage: { path: '/settings/team', title: 'Team', group: 'Account', action: 'team.read' },
  }),
  ...settingsRoutes(() => import('./settings/team/member-pages.ts'), {
    invitePage: team('invite', 'Invite person'),
    memberPage: team(':id', 'Member'),
    deactivationPage: team(':id/deactivate', 'Deactivate member'),
  }),
  ...settingsRoutes(() => import('./settings/api-key-pages.ts'), {
    apiKeysPage: {
      path: '/settings/api-keys',
      title: 'API Keys',
      group: 'Integrations',
      action: 'api_keys.read',
    },
    rollApiKeyPage: apiKeys(':id/roll', 'Roll API key'),
    revokeApiKeyPage: apiKeys(':id/revoke', 'Revoke API key', { isSensitive: false }),
  }),
  ...settingsRoutes(() => import('./settings/new-api-key-page.ts'), {
    newApiKeyPage: apiKeys('new', 'Generate New Key'),
  }),
  ...settingsRoutes(() => import('./settings/apps/apps-page.ts'), {
    appsPage: { path: '/settings/apps', title: 'Connected apps', group: 'Integrations', action: 'none' },
    disconnectAppPage: {
      path: '/settings/apps/:id/disconnect',
      title: 'Disconnect app',
      parent: '/settings/apps',
      action: 'none',
    },
  }),
  ...settingsRoutes(() => import('./settings/apps/oauth-client-pages.ts'), {
    oauthClientsPage: {
      path: '/settings/oauth-clients',
      title: 'OAuth clients',
      group: 'Integrations',
      action: 'oauth_clients.read',
    },
    newOauthClientPage: oauthClients('new', 'Add OAuth client'),
    rotateOauthClientPage: oauthClients(':id/rotate', 'New client secret'),
    deleteOauthClientPage: oauthClients(':id/delete', 'Delete OAuth client', { isSensitive: false }),
  }),
  ...settingsRoutes(() => import('./settings/webhooks/webhook-pages.ts'), {
    webhooksPage: {
      path: '/settings/webhooks',
      title: 'Webhooks',
      group: 'Integrations',
      action: 'webhooks.read',
    },
    webhookPage: {
      path: '/settings/webhooks/:id',
      title: 'Webhook',
      parent: '/settings/webhooks',
      action: 'webhooks.read',
    },
  }),
  ...settingsRoutes(() => import('./settings/webhooks/change-webhook-pages.ts'), {
    newWebhookPage: webhooks('new', 'Add webhook'),
    editWebhookPage: webhooks(':id/edit', 'Edit webhook'),
    rotateWebhookPage: webhooks(':id/rotate', 'New webhook secret'),
    deleteWebhookPage: webhooks(':id/delete', 'Delete webhook', { isSensitive: false }),
  }),
  ...settingsRoutes(() => import('./settings/security/security-pages.ts'), {
    securityPage: {
      ...ownSecurity,
      path: '/settings/security',
      title: 'Sign-in and security',
      group: 'Security',
    },
    passwordPage: security('password', 'Change password', { isSensitive: false }),
    newPasskeyPage: security('passkeys/new', 'Add passkey'),
    // Fastify cuts other parameters off at 100 characters; the ID of a passkey may have more.
    passkeyPage: security('passkeys/*', 'Remove passkey'),
  }),
  ...settingsRoutes(() => import('./settings/security/authenticator-pages.ts'), {
    authenticatorPage: security('authenticator', 'Authenticator app'),
    recoveryCodesPage: security('recovery-codes', 'New recovery codes'),
  }),
  ...settingsRoutes(() => import('./settings/audit-log-page.ts'), {
    auditLogPage: {
      path: '/settings/audit-log',
      title: 'Audit log',
      group: 'Security',
      action: 'audit.read',
    },
  }),
];

const loadSignIn = () => import('./sign-in/sign-in-pages.ts');

/** All pages with a session, and those that lead to one. */
export const pageList: readonly PageRoute[] = [
  ...settingsPages,
  {
    path: '/settings',
    action: 'none',
    load: async () => ({ render: async () => ({ redirect: '/settings/account' }) }),
  },
  {
    path: '/settings/*',
    action: 'none',
    async load({ request }) {
      const path = request.url.split('?', 1)[0];
      throw new PageError(404, { title: 'Not found', reason: `There is no page at ${path}.` });
    },
  },
  ...publicRoutes(loadSignIn, {
    signInPage: { path: '/sign-in' },
    codePage: { path: '/sign-in/code' },
    signOutPage: { path: '/sign-out' },
  }),
  {
    path: '/sign-in/confirm',
    action: 'none',
    isForAddingFactor: true,
    load: async () => (await loadSignIn()).confirmPage,
  },
  {
    path: '/account-switch',
    action: 'none',
    isForAddingFactor: true,
    load: async () => (await loadSignIn()).accountSwitchPage,
  },
  ...publicRoutes(() => import('./sign-in/passkey-form.ts'), {
    passkeyOptionsPage: { path: '/sign-in/passkey-options', isGetOnly: true },
  }),
  ...publicRoutes(() => import('./sign-in/link-pages.ts'), {
    invitationPage: { path: '/invitation/:token' },
    requestResetPage: { path: '/reset' },
    resetPage: { path: '/reset/:token' },
  }),
];

/** Routes to pages of the settings, by their names in a module: it is loaded with the first request to one of them. */
function settingsRoutes<Name extends string>(
  load: () => Promise<Record<NoInfer<Name>, WebPage>>,
  places: Readonly<Record<Name, SettingsPlace>>,
): SettingsRoute[] {
  return Object.entries<SettingsPlace>(places).map(([name, place]) => ({
    ...place,
    load: async () => (await load())[name as Name],
  }));
}

/** Routes to pages that need no session. */
function publicRoutes<Name extends string>(
  load: () => Promise<Record<NoInfer<Name>, WebPage<PageVisit>>>,
  places: Readonly<Record<Name, Pick<PublicPageRoute, 'path' | 'isGetOnly'>>>,
): PublicPageRoute[] {
  return Object.entries<Pick<PublicPageRoute, 'path' | 'isGetOnly'>>(places).map(([name, place]) => ({
    ...place,
    action: 'none',
    isPublic: true,
    load: async () => (await load())[name as Name],
  }));
}
