import type { CreatedApiKey } from '../../../contract/api-key.ts';
import { createApiKey } from '../../identity/api-keys.ts';
import { actionRow, code, detailList, linkButton, shownOnce, time } from '../components.ts';
import { type FieldErrors, type Option, toFieldErrors } from '../form-fields.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { keyFields, readKeyForm, renderKeyForm } from './api-key-form.ts';
import { apiKeysPath } from './api-keys-page.ts';
import type { FormResult, SettingsPage } from './settings-page.ts';
import { readStylistNames } from './stylist-names.ts';

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

async function readStylists(context: PageContext): Promise<readonly Option[]> {
  const stylists = await readStylistNames(context);
  return stylists.filter(({ isActive }) => isActive).map(({ id, name }) => ({ value: id, label: name }));
}
