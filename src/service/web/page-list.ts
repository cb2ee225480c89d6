import { PageError, type PageRoute, type SettingsRoute } from './web-page.ts';

/** What the pages below these have in common. */
const team = { parent: '/settings/team', action: 'team.write' } as const;
const apiKeys = { parent: '/settings/api-keys', action: 'api_keys.write' } as const;
const oauthClients = { parent: '/settings/oauth-clients', action: 'oauth_clients.write' } as const;
const webhooks = { parent: '/settings/webhooks', action: 'webhooks.write' } as const;
const security = { parent: '/settings/security', action: 'none', isForAddingFactor: true } as const;

/** All pages of the settings; the navigation shows them in this order. */
export const settingsPages: readonly SettingsRoute[] = [
  {
    path: '/settings/account',
    title: 'Account',
    group: 'Account',
    action: 'none',
    load: async () => (await import('./settings/account-page.ts')).accountPage,
  },
  {
    path: '/settings/team',
    title: 'Team',
    group: 'Account',
    action: 'team.read',
    load: async () => (await import('./settings/team/team-page.ts')).teamPage,
  },
  {
    ...team,
    path: '/settings/team/invite',
    title: 'Invite person',
    isSensitive: true,
    load: async () => (await import('./settings/team/invite-page.ts')).invitePage,
  },
  {
    ...team,
    path: '/settings/team/:id',
    title: 'Member',
    isSensitive: true,
    load: async () => (await import('./settings/team/member-pages.ts')).memberPage,
  },
  {
    ...team,
    path: '/settings/team/:id/deactivate',
    title: 'Deactivate member',
    isSensitive: true,
    load: async () => (await import('./settings/team/member-pages.ts')).deactivationPage,
  },
  {
    path: '/settings/api-keys',
    title: 'API Keys',
    group: 'Integrations',
    action: 'api_keys.read',
    load: async () => (await import('./settings/api-keys-page.ts')).apiKeysPage,
  },
  {
    ...apiKeys,
    path: '/settings/api-keys/new',
    title: 'Generate New Key',
    isSensitive: true,
    load: async () => (await import('./settings/new-api-key-page.ts')).newApiKeyPage,
  },
  {
    ...apiKeys,
    path: '/settings/api-keys/:id/roll',
    title: 'Roll API key',
    isSensitive: true,
    load: async () => (await import('./settings/change-api-key-pages.ts')).rollApiKeyPage,
  },
  {
    ...apiKeys,
    path: '/settings/api-keys/:id/revoke',
    title: 'Revoke API key',
    load: async () => (await import('./settings/change-api-key-pages.ts')).revokeApiKeyPage,
  },
  {
    path: '/settings/apps',
    title: 'Connected apps',
    group: 'Integrations',
    action: 'none',
    load: async () => (await import('./settings/apps/apps-page.ts')).appsPage,
  },
  {
    path: '/settings/apps/:id/disconnect',
    title: 'Disconnect app',
    parent: '/settings/apps',
    action: 'none',
    load: async () => (await import('./settings/apps/apps-page.ts')).disconnectAppPage,
  },
  {
    path: '/settings/oauth-clients',
    title: 'OAuth clients',
    group: 'Integrations',
    action: 'oauth_clients.read',
    load: async () => (await import('./settings/apps/oauth-clients-page.ts')).oauthClientsPage,
  },
  {
    ...oauthClients,
    path: '/settings/oauth-clients/new',
    title: 'Add OAuth client',
    isSensitive: true,
    load: async () => (await import('./settings/apps/new-oauth-client-page.ts')).newOauthClientPage,
  },
  {
    ...oauthClients,
    path: '/settings/oauth-clients/:id/rotate',
    title: 'New client secret',
    isSensitive: true,
    load: async () => (await import('./settings/apps/oauth-clients-page.ts')).rotateOauthClientPage,
  },
  {
    ...oauthClients,
    path: '/settings/oauth-clients/:id/delete',
    title: 'Delete OAuth client',
    load: async () => (await import('./settings/apps/oauth-clients-page.ts')).deleteOauthClientPage,
  },
  {
    path: '/settings/webhooks',
    title: 'Webhooks',
    group: 'Integrations',
    action: 'webhooks.read',
    load: async () => (await import('./settings/webhooks/webhooks-page.ts')).webhooksPage,
  },
  {
    ...webhooks,
    path: '/settings/webhooks/new',
    title: 'Add webhook',
    isSensitive: true,
    load: async () => (await import('./settings/webhooks/change-webhook-pages.ts')).newWebhookPage,
  },
  {
    path: '/settings/webhooks/:id',
    title: 'Webhook',
    parent: '/settings/webhooks',
    action: 'webhooks.read',
    load: async () => (await import('./settings/webhooks/webhook-page.ts')).webhookPage,
  },
  {
    ...webhooks,
    path: '/settings/webhooks/:id/edit',
    title: 'Edit webhook',
    isSensitive: true,
    load: async () => (await import('./settings/webhooks/change-webhook-pages.ts')).editWebhookPage,
  },
  {
    ...webhooks,
    path: '/settings/webhooks/:id/rotate',
    title: 'New webhook secret',
    isSensitive: true,
    load: async () => (await import('./settings/webhooks/change-webhook-pages.ts')).rotateWebhookPage,
  },
  {
    ...webhooks,
    path: '/settings/webhooks/:id/delete',
    title: 'Delete webhook',
    load: async () => (await import('./settings/webhooks/change-webhook-pages.ts')).deleteWebhookPage,
  },
  {
    path: '/settings/security',
    title: 'Sign-in and security',
    group: 'Security',
    action: 'none',
    isForAddingFactor: true,
    load: async () => (await import('./settings/security/security-page.ts')).securityPage,
  },
  {
    ...security,
    path: '/settings/security/password',
    title: 'Change password',
    load: async () => (await import('./settings/security/security-page.ts')).passwordPage,
  },
  {
    ...security,
    path: '/settings/security/passkeys/new',
    title: 'Add passkey',
    isSensitive: true,
    load: async () => (await import('./settings/security/passkey-pages.ts')).newPasskeyPage,
  },
  {
    ...security,
    // Fastify cuts other parameters off at 100 characters; the ID of a passkey may have more.
    path: '/settings/security/passkeys/*',
    title: 'Remove passkey',
    isSensitive: true,
    load: async () => (await import('./settings/security/passkey-pages.ts')).passkeyPage,
  },
  {
    ...security,
    path: '/settings/security/authenticator',
    title: 'Authenticator app',
    isSensitive: true,
    load: async () => (await import('./settings/security/authenticator-pages.ts')).authenticatorPage,
  },
  {
    ...security,
    path: '/settings/security/recovery-codes',
    title: 'New recovery codes',
    isSensitive: true,
    load: async () => (await import('./settings/security/authenticator-pages.ts')).recoveryCodesPage,
  },
  {
    path: '/settings/audit-log',
    title: 'Audit log',
    group: 'Security',
    action: 'audit.read',
    load: async () => (await import('./settings/audit-log-page.ts')).auditLogPage,
  },
];

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
  {
    path: '/sign-in',
    action: 'none',
    isPublic: true,
    load: async () => (await import('./sign-in/sign-in-pages.ts')).signInPage,
  },
  {
    path: '/sign-in/code',
    action: 'none',
    isPublic: true,
    load: async () => (await import('./sign-in/sign-in-pages.ts')).codePage,
  },
  {
    path: '/sign-in/confirm',
    action: 'none',
    isForAddingFactor: true,
    load: async () => (await import('./sign-in/confirm-page.ts')).confirmPage,
  },
  {
    path: '/sign-in/passkey-options',
    action: 'none',
    isPublic: true,
    isGetOnly: true,
    load: async () => (await import('./sign-in/passkey-form.ts')).passkeyOptionsPage,
  },
  {
    path: '/invitation/:token',
    action: 'none',
    isPublic: true,
    load: async () => (await import('./sign-in/link-pages.ts')).invitationPage,
  },
  {
    path: '/reset',
    action: 'none',
    isPublic: true,
    load: async () => (await import('./sign-in/link-pages.ts')).requestResetPage,
  },
  {
    path: '/reset/:token',
    action: 'none',
    isPublic: true,
    load: async () => (await import('./sign-in/link-pages.ts')).resetPage,
  },
  {
    path: '/sign-out',
    action: 'none',
    isPublic: true,
    load: async () => (await import('./sign-in/sign-in-pages.ts')).signOutPage,
  },
  {
    path: '/account-switch',
    action: 'none',
    isForAddingFactor: true,
    load: async () => (await import('./sign-in/sign-in-pages.ts')).accountSwitchPage,
  },
];
