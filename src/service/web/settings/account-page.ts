import { plans } from '../../../contract/limits.ts';
import { listOwnAccounts } from '../../identity/sessions.ts';
import { badge, code, detailList, section, table } from '../components.ts';
import { actionButton } from '../form-fields.ts';
import { html } from '../html.ts';
import type { SettingsPage } from './settings-page.ts';

const numbers = new Intl.NumberFormat('en-GB');

/** The account that the person works in, and the others. */
export const accountPage: SettingsPage = {
  path: '/settings/account',
  title: 'Account',
  group: 'Account',

  async render(context) {
    const { account, role } = context.caller;
    const accounts = await listOwnAccounts(context);
    const isOwnLimit = account.hourlyLimit !== plans[account.plan];
    const details = detailList([
      ['Name', account.name],
      ['Account ID', code(account.id)],
      ['Plan', `${account.plan.slice(0, 1).toUpperCase()}${account.plan.slice(1)}`],
      [
        'Requests an hour',
        `${numbers.format(account.hourlyLimit)}${isOwnLimit ? ' (agreed for this account)' : ''}`,
      ],
      ['Your role', badge(role, 'accent')],
    ]);
    const rows = accounts.map(({ id, name, role: own, current }) => [
      html`<strong>${name}</strong><span class="detail">${code(id)}</span>`,
      badge(own),
      current
        ? html`<span class="quiet">You work here</span>`
        : actionButton({
            form: 'switch',
            csrf: context.csrf,
            action: '/account-switch',
            fields: { account: id },
            label: 'Switch',
            about: `to ${name}`,
            isSmall: true,
          }),
    ]);
    const columns = [{ title: 'Account' }, { title: 'Your role' }, { title: 'Switch', isActions: true }];
    return html`${section({ title: 'Salon', body: details })}
${accounts.length > 1 && section({ title: 'Your accounts', body: table({ caption: 'Your accounts', columns, rows, empty: '' }) })}`;
  },
};
