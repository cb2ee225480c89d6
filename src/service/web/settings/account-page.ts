import { plans } from '../../../contract/limits.ts';
import { renderCount } from '../../../text/numbers.ts';
import { changeName } from '../../identity/own-account.ts';
import { listOwnAccounts } from '../../identity/sessions.ts';
import { badge, code, detailList, section, table } from '../components.ts';
import { renderFields, textField } from '../form-fields.ts';
import { actionButton, button, form, onForm } from '../forms.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../visit.ts';
import type { RefusedForm, WebPage } from '../web-page.ts';

const nameFields = { name: textField({ label: 'Your name', autocomplete: 'name' }) };

/** The account that the person works in, and the others. */
export const accountPage: WebPage = {
  render: renderAccount,
  forms: {
    name: onForm(nameFields, async (context: PageContext, { name }) => {
      await changeName(context, name);
      return { redirect: '/settings/account', notice: 'Your name was changed.' };
    }),
  },
};

async function renderAccount(context: PageContext, refused?: RefusedForm): Promise<Html> {
  const { account, role } = context.caller;
  const accounts = await listOwnAccounts(context);
  const isOwnLimit = account.hourlyLimit !== plans[account.plan];
  const details = detailList([
    ['Name', account.name],
    ['Account ID', code(account.id)],
    ['Plan', `${account.plan.slice(0, 1).toUpperCase()}${account.plan.slice(1)}`],
    [
      'Requests per hour',
      `${renderCount(account.hourlyLimit)}${isOwnLimit ? ' (set for this account)' : ''}`,
    ],
    ['Your role', badge(role, 'accent')],
  ]);
  const rows = accounts.map(({ id, name, role: own, current }) => [
    html`<strong>${name}</strong><span class="detail">${code(id)}</span>`,
    badge(own),
    current
      ? html`<span class="quiet">Current account</span>`
      : actionButton(context, {
          form: 'switch',
          action: '/account-switch',
          fields: { account: id },
          label: 'Switch',
          about: `to ${name}`,
          isSmall: true,
        }),
  ]);
  const columns = ['Account', 'Your role'];
  return html`${section({ title: 'Salon', body: details })}
${renderOwnName(context, refused)}
${accounts.length > 1 && section({ title: 'Your accounts', body: table({ caption: 'Your accounts', columns, actions: 'Switch', rows, empty: '' }) })}`;
}

function renderOwnName(context: PageContext, refused?: RefusedForm): Html {
  const { name, email } = context.user;
  const fields = renderFields(nameFields, { values: { name }, refused });
  return section({
    title: 'You',
    lead: html`You sign in as <strong>${email}</strong>. Your team sees your name.`,
    body: form(context, { name: 'name', body: html`${fields}${button({ label: 'Save', kind: 'primary' })}` }),
  });
}
