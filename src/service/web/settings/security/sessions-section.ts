import type { SessionView } from '../../../identity/sessions.ts';
import { badge, section, table, time } from '../../components.ts';
import { actionButton } from '../../form-fields.ts';
import { type Html, html } from '../../html.ts';
import { toBrowserName } from './browser-name.ts';

const columns = [
  { title: 'Browser' },
  { title: 'Address' },
  { title: 'Signed in' },
  { title: 'Last used' },
  { title: 'End', isActions: true },
];

/** Where the person is signed in. */
export function renderSessions(sessions: readonly SessionView[], csrf: Html): Html {
  const rows = sessions.map(({ id, user_agent, address, created_at, last_used_at, current }) => {
    const browser = toBrowserName(user_agent);
    const end = { form: 'end-session', csrf, fields: { id }, label: 'End', isSmall: true };
    return [
      html`<strong>${browser}</strong> ${current && badge('This browser', 'good')}`,
      address ?? 'Unknown',
      time(created_at),
      time(last_used_at),
      !current && actionButton({ ...end, about: `the session of ${browser} at ${address}` }),
    ];
  });
  const endOthers = { form: 'end-other-sessions', csrf, label: 'End all other sessions', isSmall: true };
  return section({
    title: 'Sessions',
    lead: 'Where you are signed in. If you do not recognize a session, end it and change your password.',
    actions: sessions.length > 1 && actionButton(endOthers),
    body: table({ caption: 'Sessions', columns, rows, empty: 'No sessions.' }),
  });
}
