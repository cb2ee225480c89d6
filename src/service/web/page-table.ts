import type { WebPage } from './page-response.ts';
import { settings } from './settings/settings-router.ts';
import { codePage } from './sign-in/code-page.ts';
import { confirmPage } from './sign-in/confirm-page.ts';
import { invitationPage } from './sign-in/invitation-page.ts';
import { passkeyOptionsPage } from './sign-in/passkey-form.ts';
import { requestResetPage, resetPage } from './sign-in/reset-page.ts';
import { signInPage } from './sign-in/sign-in-page.ts';
import { accountSwitchPage, signOutPage } from './sign-in/sign-out-page.ts';

/** The pages by the names of their routes. */
export const pages = {
  settings,
  signIn: signInPage,
  code: codePage,
  confirm: confirmPage,
  passkeyOptions: passkeyOptionsPage,
  invitation: invitationPage,
  requestReset: requestResetPage,
  reset: resetPage,
  signOut: signOutPage,
  accountSwitch: accountSwitchPage,
} as const satisfies Record<string, WebPage>;
