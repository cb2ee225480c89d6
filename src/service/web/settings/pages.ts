import { accountPage } from './account-page.ts';
import { securityPage } from './security-page.ts';
import type { SettingsPage } from './settings-page.ts';

/** All pages of the settings; the navigation shows them in this order. */
export const settingsPages: readonly SettingsPage[] = [accountPage, securityPage];
