import type { Page } from './page-response.ts';
import { settings } from './settings/settings-router.ts';
import { codePage } from './sign-in/code-page.ts';
import { signInPage } from './sign-in/sign-in-page.ts';
import { accountSwitchPage, signOutPage } from './sign-in/sign-out-page.ts';

/** The pages by the names of their routes. */
export const pages = {
  settings,
  signIn: signInPage,
  code: codePage,
  signOut: signOutPage,
  accountSwitch: accountSwitchPage,
} as const satisfies Record<string, Page>;
