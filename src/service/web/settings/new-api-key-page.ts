import type { CreatedApiKey } from '../../../contract/api-key.ts';
import type { Stylist } from '../../../contract/stylist.ts';
import type { Context } from '../../domain/context.ts';
import { listStylists } from '../../domain/stylists.ts';
import { createApiKey } from '../../identity/api-keys.ts';
import { actionRow, code, detailList, linkButton, shownOnce, time } from '../components.ts';
import { type FieldErrors, type Option, toFieldErrors } from '../form-fields.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { keyFields, readKeyForm, renderKeyForm } from './api-key-form.ts';
import { apiKeysPath } from './api-keys-page.ts';
import type { FormResult, SettingsPage } from './settings-page.ts';

/** Integrations → API Keys → Generate New Key. */
export const newApiKeyPage: SettingsPage = {
  path: `${apiKeysPath}/new`,
  title: 'Generate New Key',
  group: 'Integrations',
  parent: apiKeysPath,
  action: 'api_keys.write',
  isSensitive: true,

  async render(context) {
    return renderKeyForm(context, { sent: new URLSearchParams(), stylists: await readStylists(context) });
  },

  forms: {
    async generate(context, sent): Promise<FormResult> {
      const again = async (errors: FieldErrors): Promise<FormResult> => ({
        page: renderKeyForm(context, { sent, errors, stylists: await readStylists(context) }),
        status: 422,
      });
      const read = readKeyForm(sent, context.environment.now());
      if ('errors' in read) return again(read.errors);
      try {
        return { page: renderNewKey(context, await createApiKey(context, read.body)) };
      } catch (error) {
        return again(toFieldErrors(error, keyFields));
      }
    },
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

/** The active stylists, by name. */
async function readStylists(context: Context): Promise<readonly Option[]> {
  const stylists: Stylist[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await listStylists(context, { per_page: 200, ...(after === undefined ? {} : { after }) });
    stylists.push(...JSON.parse(page.dataJson.toString()));
    after = page.next;
  }
  return stylists
    .filter(({ active }) => active)
    .map((stylist) => ({ value: stylist.id, label: toName(stylist) }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'));
}

function toName({ id, display_name, first_name, last_name }: Stylist): string {
  return display_name || [first_name, last_name].filter(Boolean).join(' ') || id;
}
