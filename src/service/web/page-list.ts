import type { PageVisit } from './visit.ts';
import {
  PageError,
  type PageRoute,
  type PublicPageRoute,
  type SettingsPlace,
  type SettingsRoute,
  type WebPage,
} from './web-page.ts';

/** What the pages below these have in common. */
const team = { parent: '/settings/team', action: 'team.write', isSensitive: true } as const;
const apiKeys = { parent: '/settings/api-keys', action: 'api_keys.write', isSensitive: true } as const;
const oauthClients = {
  parent: '/settings/oauth-clients',
  action: 'oauth_clients.write',
  isSensitive: true,
} as const;
const webhooks = { parent: '/settings/webhooks', action: 'webhooks.write', isSensitive: true } as const;
const ownSecurity = { action: 'none', isForAddingFactor: true } as const;
const security = { parent: '/settings/security', ...ownSecurity, isSensitive: true } as const;

/** All pages of the settings; the navigation shows them in this order. */
export const settingsPages: readonly SettingsRoute[] = [
  ...settingsRoutes(() => import('./settings/account-page.ts'), {
    accountPage: { path: '/settings/account', title: 'Account', group: 'Account', action: 'none' },
  }),
  ...settingsRoutes(() => import('./settings/team/team-page.ts'), {
    teamPage: { path: '/settings/team', title: 'Team', group: 'Account', action: 'team.read' },
  }),
  ...settingsRoutes(() => import('./settings/team/member-pages.ts'), {
    invitePage: { ...team, path: '/settings/team/invite', title: 'Invite person' },
    memberPage: { ...team, path: '/settings/team/:id', title: 'Member' },
    deactivationPage: { ...team, path: '/settings/team/:id/deactivate', title: 'Deactivate member' },
  }),
  ...settingsRoutes(() => import('./settings/api-key-pages.ts'), {
    apiKeysPage: {
      path: '/settings/api-keys',
      title: 'API Keys',
      group: 'Integrations',
      action: 'api_keys.read',
    },
    rollApiKeyPage: { ...apiKeys, path: '/settings/api-keys/:id/roll', title: 'Roll API key' },
    revokeApiKeyPage: {
      ...apiKeys,
      path: '/settings/api-keys/:id/revoke',
      title: 'Revoke API key',
      isSensitive: false,
    },
  }),
  ...settingsRoutes(() => import('./settings/new-api-key-page.ts'), {
    newApiKeyPage: { ...apiKeys, path: '/settings/api-keys/new', title: 'Generate New Key' },
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
    newOauthClientPage: { ...oauthClients, path: '/settings/oauth-clients/new', title: 'Add OAuth client' },
    rotateOauthClientPage: {
      ...oauthClients,
      path: '/settings/oauth-clients/:id/rotate',
      title: 'New client secret',
    },
    deleteOauthClientPage: {
      ...oauthClients,
      path: '/settings/oauth-clients/:id/delete',
      title: 'Delete OAuth client',
      isSensitive: false,
    },
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
    newWebhookPage: { ...webhooks, path: '/settings/webhooks/new', title: 'Add webhook' },
    editWebhookPage: { ...webhooks, path: '/settings/webhooks/:id/edit', title: 'Edit webhook' },
    rotateWebhookPage: { ...webhooks, path: '/settings/webhooks/:id/rotate', title: 'New webhook secret' },
    deleteWebhookPage: {
      ...webhooks,
      path: '/settings/webhooks/:id/delete',
      title: 'Delete webhook',
      isSensitive: false,
    },
  }),
  ...settingsRoutes(() => import('./settings/security/security-pages.ts'), {
    securityPage: {
      ...ownSecurity,
      path: '/settings/security',
      title: 'Sign-in and security',
      group: 'Security',
    },
    passwordPage: {
      ...security,
      path: '/settings/security/password',
      title: 'Change password',
      isSensitive: false,
    },
    newPasskeyPage: { ...security, path: '/settings/security/passkeys/new', title: 'Add passkey' },
    // Fastify cuts other parameters off at 100 characters; the ID of a passkey may have more.
    passkeyPage: { ...security, path: '/settings/security/passkeys/*', title: 'Remove passkey' },
  }),
  ...settingsRoutes(() => import('./settings/security/authenticator-pages.ts'), {
    authenticatorPage: { ...security, path: '/settings/security/authenticator', title: 'Authenticator app' },
    recoveryCodesPage: {
      ...security,
      path: '/settings/security/recovery-codes',
      title: 'New recovery codes',
    },
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
