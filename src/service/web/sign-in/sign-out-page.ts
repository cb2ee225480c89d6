import { endSession, switchAccount } from '../../identity/sessions.ts';
import { button, form } from '../form-fields.ts';
import { renderSmallPage } from '../layout.ts';
import { toPageContext } from '../page-context.ts';
import type { WebPage } from '../page-response.ts';

/** `/sign-out` */
export const signOutPage: WebPage = {
  async render({ session, csrf }) {
    if (session === undefined) return { redirect: '/sign-in' };
    const body = form({ name: 'sign-out', csrf, body: button({ label: 'Sign out', kind: 'primary' }) });
    return {
      html: renderSmallPage({
        title: 'Sign out',
        lead: 'You will need to sign in again in this browser.',
        body,
      }),
    };
  },

  async accept(visit) {
    if (visit.session !== undefined) await endSession(toPageContext(visit));
    visit.cookies.clear('session');
    return { redirect: '/sign-in', notice: 'You have signed out.' };
  },
};

/** `/account-switch`: works in another account of the person. */
export const accountSwitchPage: WebPage = {
  isPrivate: true,
  render: async () => ({ redirect: '/settings' }),

  async accept(visit, sent) {
    await switchAccount(toPageContext(visit), sent.get('account') ?? '');
    return { redirect: '/settings' };
  },
};
