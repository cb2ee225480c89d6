import { accountPage } from './account-page.ts';
import { apiKeysPage } from './api-keys-page.ts';
import { revokeApiKeyPage, rollApiKeyPage } from './change-api-key-pages.ts';
import { newApiKeyPage } from './new-api-key-page.ts';
import { securityPage } from './security-page.ts';
import type { SettingsPage } from './settings-page.ts';

/** All pages of the settings; the navigation shows them in this order. */
export const settingsPages: readonly SettingsPage[] = [
  accountPage,
  apiKeysPage,
  newApiKeyPage,
  rollApiKeyPage,
  revokeApiKeyPage,
  securityPage,
];
