import { type ApiKey, rollOverlapSeconds } from '../../../contract/api-key.ts';
import { getApiKey, revokeApiKey, rollApiKey } from '../../identity/api-keys.ts';
import { code, notice, time } from '../components.ts';
import { renderFields, selectField } from '../form-fields.ts';
import { confirmationPage, form, formButtons, onForm } from '../forms.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../visit.ts';
import type { WebPage } from '../web-page.ts';
import { apiKeysPath } from './api-keys-page.ts';
import { renderNewKey } from './new-api-key-page.ts';

const hourSeconds = 3600;

const rollFields = {
  overlap: selectField({
    label: 'How long the current key stays valid',
    choices: [
      { value: '0', label: 'It stops working at once' },
      { value: String(hourSeconds), label: '1 hour' },
      { value: String(rollOverlapSeconds.default), label: '24 hours' },
      { value: String(3 * 24 * hourSeconds), label: '3 days' },
      { value: String(rollOverlapSeconds.max), label: '7 days' },
    ],
    missing: 'Choose how long the current key stays valid.',
  }),
};

export const rollApiKeyPage: WebPage = {
  async render(context, refused) {
    const key = await readKey(context);
    const values = { overlap: String(rollOverlapSeconds.default) };
    const body = html`<p>A new key with the same rights replaces ${renderName(key)}. The current one stays valid for a while, so that
you can exchange it everywhere.</p>
${key.created_keys > 0 && html`<p>What it has created (${key.created_keys}) ends with the current one.</p>`}${renderFields(rollFields, { values, refused })}${formButtons({ label: 'Roll key', cancel: apiKeysPath })}`;
    return html`<section class="card">${form(context, { name: 'roll', body })}</section>`;
  },

  forms: {
    roll: onForm(rollFields, async (context: PageContext, { overlap }) => {
      const change = { overlap_seconds: Number(overlap) };
      const rolled = await rollApiKey(context, context.params['id'] ?? '', change);
      const isOver = new Date(rolled.former_expires_at) <= context.environment.now();
      const former = notice({
        tone: 'neutral',
        body: isOver
          ? 'The old key has stopped working.'
          : html`The old key works until ${time(rolled.former_expires_at)}.`,
      });
      return renderNewKey(context, rolled, former);
    }),
  },
};

export const revokeApiKeyPage = confirmationPage({
  form: 'revoke',
  read: readKey,
  ask(key) {
    const lastUse =
      key.last_used_at === null
        ? 'It has never been used.'
        : html`It was last used ${time(key.last_used_at)}.`;
    return {
      body: html`<p>Programs that use ${renderName(key)}${renderCreated(key)} stop working at once. ${lastUse} This cannot be undone.</p>`,
      label: key.created_keys > 0 ? 'Revoke with everything it created' : 'Revoke key',
      cancel: apiKeysPath,
    };
  },
  async act(context, { id, name, created_keys: created }) {
    await revokeApiKey(context, id);
    const others = created > 0 ? ` and ${created} that it created` : '';
    return { redirect: apiKeysPath, notice: `Revoked the key ${name}${others}.` };
  },
});

function readKey(context: PageContext): Promise<ApiKey> {
  return getApiKey(context, context.params['id'] ?? '');
}

function renderCreated({ created_keys: count }: ApiKey): Html | false {
  return count > 0 && html` or the keys and OAuth client secrets that it created (${count})`;
}

function renderName({ name, prefix }: ApiKey): Html {
  return html`<strong>${name}</strong> (${code(`${prefix ?? 'slk_'}…`)})`;
}
