import { plans } from '../../../contract/limits.ts';
import { changeName } from '../../identity/own-account.ts';
import { listOwnAccounts } from '../../identity/sessions.ts';
import { badge, code, detailList, section, table } from '../components.ts';
import {
  actionButton,
  button,
  errorSummary,
  type FieldErrors,
  form,
  textField,
  toFieldErrors,
} from '../form-fields.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import type { SettingsPage } from './settings-page.ts';

const numbers = new Intl.NumberFormat('en-GB');

/** The account that the person works in, and the others. */
export const accountPage: SettingsPage = {
  path: '/settings/account',
  title: 'Account',
  group: 'Account',
  action: 'none',

  async render(context) {
    return renderAccount(context, context.user.name);
  },

  forms: {
    async name(context, sent) {
      const name = sent.get('name') ?? '';
      try {
        await changeName(context, name);
      } catch (error) {
        const errors = toFieldErrors(error, ['name']);
        return { status: 422, page: await renderAccount(context, name, errors) };
      }
      return { redirect: '/settings/account', notice: 'Your name was changed.' };
    },
  },
};

async function renderAccount(context: PageContext, ownName: string, errors?: FieldErrors): Promise<Html> {
  const { account, role } = context.caller;
  const accounts = await listOwnAccounts(context);
  const isOwnLimit = account.hourlyLimit !== plans[account.plan];
  const details = detailList([
    ['Name', account.name],
    ['Account ID', code(account.id)],
    ['Plan', `${account.plan.slice(0, 1).toUpperCase()}${account.plan.slice(1)}`],
    [
      'Requests per hour',
      `${numbers.format(account.hourlyLimit)}${isOwnLimit ? ' (set for this account)' : ''}`,
    ],
    ['Your role', badge(role, 'accent')],
  ]);
  const rows = accounts.map(({ id, name, role: own, current }) => [
    html`<strong>${name}</strong><span class="detail">${code(id)}</span>`,
    badge(own),
    current
      ? html`<span class="quiet">Current account</span>`
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
  return html`${errorSummary(errors)}${section({ title: 'Salon', body: details })}
${renderOwnName(context, ownName, errors)}
${accounts.length > 1 && section({ title: 'Your accounts', body: table({ caption: 'Your accounts', columns, rows, empty: '' }) })}`;
}

function renderOwnName({ csrf, user }: PageContext, name: string, errors?: FieldErrors): Html {
  const field = { label: 'Your name', name: 'name', autocomplete: 'name', value: name, errors } as const;
  const body = html`${textField(field)}${button({ label: 'Save', kind: 'primary' })}`;
  return section({
    title: 'You',
    lead: html`You sign in as <strong>${user.email}</strong>. Your team sees your name.`,
    body: form({ name: 'name', csrf, body }),
  });
}
