import { accountPage } from './account-page.ts';
import { apiKeysPage } from './api-keys-page.ts';
import { appsPage, disconnectAppPage } from './apps/apps-page.ts';
import { newOauthClientPage } from './apps/new-oauth-client-page.ts';
import { deleteOauthClientPage, oauthClientsPage, rotateOauthClientPage } from './apps/oauth-clients-page.ts';
import { auditLogPage } from './audit-log-page.ts';
import { revokeApiKeyPage, rollApiKeyPage } from './change-api-key-pages.ts';
import { newApiKeyPage } from './new-api-key-page.ts';
import { authenticatorPage, recoveryCodesPage } from './security/authenticator-pages.ts';
import { newPasskeyPage, passkeyPage } from './security/passkey-pages.ts';
import { passwordPage } from './security/password-page.ts';
import { securityPage } from './security/security-page.ts';
import type { SettingsPage } from './settings-page.ts';
import { invitePage } from './team/invite-page.ts';
import { deactivationPage, memberPage } from './team/member-pages.ts';
import { teamPage } from './team/team-page.ts';
import {
  deleteWebhookPage,
  editWebhookPage,
  newWebhookPage,
  rotateWebhookPage,
} from './webhooks/change-webhook-pages.ts';
import { webhookPage } from './webhooks/webhook-page.ts';
import { webhooksPage } from './webhooks/webhooks-page.ts';

/** All pages of the settings; the navigation shows them in this order. The first that matches a path is shown. */
export const settingsPages: readonly SettingsPage[] = [
  ...[accountPage, teamPage, invitePage, memberPage, deactivationPage],
  ...[apiKeysPage, newApiKeyPage, rollApiKeyPage, revokeApiKeyPage],
  ...[appsPage, disconnectAppPage],
  ...[oauthClientsPage, newOauthClientPage, rotateOauthClientPage, deleteOauthClientPage],
  ...[webhooksPage, newWebhookPage, webhookPage, editWebhookPage, rotateWebhookPage, deleteWebhookPage],
  ...[securityPage, passwordPage, newPasskeyPage, passkeyPage, authenticatorPage, recoveryCodesPage],
  auditLogPage,
];
