import { apiKeyDays, type CreatedApiKey, newApiKey } from '../../../contract/api-key.ts';
import { isNotAbove, roles, roleTexts } from '../../../contract/roles.ts';
import { dayMs } from '../../../time/time.ts';
import { createApiKey } from '../../identity/api-keys.ts';
import { actionRow, code, detailList, linkButton, shownOnce, time } from '../components.ts';
import { field, renderFields, textField, type ValuesOf } from '../form-fields.ts';
import { button, form, onForm } from '../forms.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../visit.ts';
import { FormError, type WebPage } from '../web-page.ts';

import { listStylistNames } from './team/role-fields.ts';

export const apiKeysPath = '/settings/api-keys';

/** Integrations → API Keys → Generate New Key. */
export const newApiKeyPage: WebPage = {
  async render(context, refused) {
    const values = { role: 'viewer', access: 'all', expires: '365' } as const;
    const fields = renderFields(await readFields(context), { values, refused });
    const body = html`${fields}${button({ label: 'Generate New Key', kind: 'primary' })}`;
    return html`<section class="card">${form(context, { name: 'generate', body })}</section>`;
  },

  forms: {
    generate: onForm(readFields, async (context, values) => {
      const { name, role, stylist_id, access, scopes: chosen, allowed_addresses } = values;
      const isLimited = access === 'some';
      const problems: Record<string, string> = {};
      if (!isLimited && chosen.length > 0)
        problems['access'] = 'Choose "Only the scopes chosen below", or clear the scopes.';
      if (isLimited && chosen.length === 0) problems['scopes'] = 'Choose at least one scope.';
      const expiry = readExpiry(values, context.environment.now());
      if ('problems' in expiry) Object.assign(problems, expiry.problems);
      if ('problems' in expiry || Object.keys(problems).length > 0) throw new FormError(problems);
      const created = await createApiKey(context, {
        ...{ name, role, stylist_id, expires_at: expiry.expiresAt, allowed_addresses },
        ...(isLimited ? { scopes: chosen } : {}),
      });
      return renderNewKey(context, created);
    }),
  },
};

/** The new key, which is shown only on this page. */
export function renderNewKey({ origin }: PageContext, created: CreatedApiKey, former?: Html): Html {
  const details = detailList([
    ['Name', created.name],
    ['Role', created.role],
    ['Expires', time(created.expires_at)],
    ['Sign in', code(`salon auth login --base-url ${origin} --with-key`)],
  ]);
  return html`${shownOnce({ label: 'API key', value: created.key })}${former}
<section class="card">${details}</section>
${actionRow(linkButton({ href: apiKeysPath, label: 'Done', isPrimary: true }))}`;
}

async function readFields(context: PageContext) {
  const stylists = (await listStylistNames(context)).filter(({ isActive }) => isActive);
  const offered = roles.filter((role) => isNotAbove(role, context.caller.role));
  const { name, role, stylist_id, scopes, allowed_addresses } = newApiKey.properties;
  return {
    name: field(name, {
      label: 'Name',
      hint: 'What the key is for, such as "Website" or "Till at the front desk".',
      hasFocus: true,
    }),
    role: field(role, {
      label: 'Role',
      choices: Object.fromEntries(
        offered.map((one) => [one, { label: `${roleTexts[one].title}: ${roleTexts[one].summary}` }]),
      ),
    }),
    stylist_id: field(stylist_id, {
      label: 'Stylist',
      hint: 'Needed for the role Stylist, and only for it.',
      choices: Object.fromEntries(stylists.map((one) => [one.id, { label: one.name }])),
      isOptional: 'conditional',
    }),
    access: field(
      { type: 'string', enum: ['all', 'some'] },
      {
        label: 'Access',
        type: 'radio',
        choices: {
          all: { label: 'Everything the role allows' },
          some: { label: 'Only the scopes chosen below' },
        },
      },
    ),
    scopes: field(scopes, { label: 'Scopes', isTwoColumns: true, isOptional: true }),
    ...expiryFields,
    allowed_addresses: field(allowed_addresses, {
      label: 'Allowed addresses',
      hint: 'IP addresses or ranges that the key may be used from, one per line, such as 203.0.113.7 or 2001:db8::/32.',
      isOptional: true,
    }),
  };
}

const expiryFields = {
  expires: field(
    { type: 'string', enum: ['30', '90', '365', 'date', 'never'] },
    {
      label: 'Expires',
      choices: {
        30: { label: '30 days' },
        90: { label: '90 days' },
        [apiKeyDays]: { label: '1 year' },
        date: { label: 'On a date' },
        never: { label: 'Never' },
      },
    },
  ),
  expires_on: textField({
    label: 'Expiry date',
    type: 'date',
    hint: 'Only with "On a date". The key is valid until the end of that day (UTC).',
    isOptional: true,
  }),
};

/** RFC 3339, or null for never. */
function readExpiry(
  { expires, expires_on: date }: ValuesOf<typeof expiryFields>,
  now: Date,
): { readonly expiresAt: string | null } | { readonly problems: Readonly<Record<string, string>> } {
  if (expires !== 'date' && date !== '') {
    return { problems: { expires: 'Choose "On a date", or clear the date.' } };
  }
  if (expires === 'never') return { expiresAt: null };
  if (expires !== 'date') return { expiresAt: toText(now.getTime() + Number(expires) * dayMs) };
  const end = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) + dayMs : Number.NaN;
  if (Number.isNaN(end)) return { problems: { expires_on: 'Enter a date.' } };
  if (end <= now.getTime()) return { problems: { expires_on: 'Choose a date in the future.' } };
  return { expiresAt: toText(end) };
}

function toText(ms: number): string {
  return new Date(ms).toISOString();
}
