import { endSession, switchAccount } from '../../identity/sessions.ts';
import { button, form } from '../forms.ts';
import { type PageVisit, toPageContext } from '../visit.ts';
import type { WebPage } from '../web-page.ts';

/** `/sign-out` */
export const signOutPage: WebPage<PageVisit> = {
  async render(visit) {
    if (visit.session === undefined) return { redirect: '/sign-in' };
    return {
      title: 'Sign out',
      lead: 'You will need to sign in again in this browser.',
      body: form(visit, { name: 'sign-out', body: button({ label: 'Sign out', kind: 'primary' }) }),
    };
  },

  forms: {
    async 'sign-out'(visit) {
      if (visit.session !== undefined) await endSession(toPageContext(visit));
      visit.cookies.clear('session');
      return { redirect: '/sign-in', notice: 'You have signed out.' };
    },
  },
};

/** `/account-switch`: works in another account of the person. */
export const accountSwitchPage: WebPage = {
  render: async () => ({ redirect: '/settings' }),

  forms: {
    async switch(context, sent) {
      await switchAccount(context, sent.get('account') ?? '');
      return { redirect: '/settings' };
    },
  },
};
