import { endOtherSessions, endSession, listSessions, type SessionView } from '../../identity/sessions.ts';
import { badge, section, table, time } from '../components.ts';
import { actionButton } from '../form-fields.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { toBrowserName } from './browser-name.ts';
import type { SettingsPage } from './settings-page.ts';

const path = '/settings/security';

/** How the person signs in, and where they are signed in. */
export const securityPage: SettingsPage = {
  path,
  title: 'Sign-in and security',
  group: 'Security',

  async render(context) {
    return html`${renderSessions(context, await listSessions(context))}`;
  },

  forms: {
    async 'end-session'(context, form) {
      await endSession(context, form.get('id') ?? '');
      return { redirect: path, notice: 'The session has ended.' };
    },
    async 'end-other-sessions'(context) {
      const count = await endOtherSessions(context);
      return {
        redirect: path,
        notice: count === 1 ? 'One session has ended.' : `${count} sessions have ended.`,
      };
    },
  },
};

function renderSessions({ csrf }: PageContext, sessions: readonly SessionView[]): Html {
  const rows = sessions.map((session) => {
    const browser = toBrowserName(session.user_agent);
    return [
      html`<strong>${browser}</strong> ${session.current && badge('This browser', 'good')}`,
      session.address ?? 'Unknown',
      time(session.created_at),
      time(session.last_used_at),
      !session.current &&
        actionButton({
          form: 'end-session',
          csrf,
          fields: { id: session.id },
          label: 'End',
          about: `the session of ${browser} at ${session.address}`,
          isSmall: true,
        }),
    ];
  });
  const columns = [
    { title: 'Browser' },
    { title: 'Address' },
    { title: 'Signed in' },
    { title: 'Last used' },
    { title: 'End', isActions: true },
  ];
  return section({
    title: 'Sessions',
    lead: 'Where you are signed in. End a session that you do not recognise, and change your password.',
    actions:
      sessions.length > 1 &&
      actionButton({ form: 'end-other-sessions', csrf, label: 'End all others', isSmall: true }),
    body: table({ caption: 'Sessions', columns, rows, empty: 'No sessions.' }),
  });
}
