import type { CreatedWebhook, RotatedSecret } from '../../../../contract/webhook.ts';
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../../domain/webhooks.ts';
import { actionRow, linkButton, notice, shownOnce, time } from '../../components.ts';
import { confirmation, toFieldErrors } from '../../form-fields.ts';
import { type Html, html } from '../../html.ts';
import type { FormResult, SettingsPage } from '../settings-page.ts';
import {
  findFormErrors,
  readWebhookForm,
  renderWebhookForm,
  webhookFields,
  webhooksPath,
} from './webhook-form.ts';
import { readWebhookOf, toPath } from './webhook-page.ts';

const shared = { group: 'Integrations', parent: webhooksPath, action: 'webhooks.write' } as const;

export const newWebhookPage: SettingsPage = {
  ...shared,
  path: `${webhooksPath}/new`,
  title: 'Add webhook',
  isSensitive: true,

  async render(context) {
    const values = { url: '', events: ['*' as const], description: null, active: true };
    return renderWebhookForm(context, { ...newForm, values });
  },

  forms: {
    async create(context, sent): Promise<FormResult> {
      const values = readWebhookForm(sent);
      const again = (errors: Record<string, string>): FormResult => ({
        page: renderWebhookForm(context, { ...newForm, values, errors }),
        status: 422,
      });
      const errors = findFormErrors(values);
      if (errors !== undefined) return again(errors);
      try {
        return { page: renderSecret(await createWebhook(context, values)) };
      } catch (error) {
        return again(toFieldErrors(error, webhookFields));
      }
    },
  },
};

const newForm = { name: 'create', label: 'Add webhook', cancel: webhooksPath };

export const editWebhookPage: SettingsPage = {
  ...shared,
  path: `${webhooksPath}/:id/edit`,
  title: 'Edit webhook',
  isSensitive: true,

  async render(context) {
    const values = await readWebhookOf(context);
    return renderWebhookForm(context, { name: 'edit', label: 'Save', values, cancel: toPath(values) });
  },

  forms: {
    async edit(context, sent): Promise<FormResult> {
      const webhook = await readWebhookOf(context);
      const path = toPath(webhook);
      const values = readWebhookForm(sent);
      const again = (errors: Record<string, string>): FormResult => ({
        page: renderWebhookForm(context, { name: 'edit', label: 'Save', values, errors, cancel: path }),
        status: 422,
      });
      const errors = findFormErrors(values);
      if (errors !== undefined) return again(errors);
      try {
        await updateWebhook(context, webhook.id, { change: values });
        return { redirect: path, notice: 'Saved the webhook.' };
      } catch (error) {
        return again(toFieldErrors(error, webhookFields));
      }
    },
  },
};

export const rotateWebhookPage: SettingsPage = {
  ...shared,
  path: `${webhooksPath}/:id/rotate`,
  title: 'New webhook secret',
  isSensitive: true,

  async render(context) {
    const webhook = await readWebhookOf(context);
    return confirmation({
      body: html`<p>Events to <strong>${webhook.url}</strong> are signed with a new secret. For 24 hours they are also signed with
the current one, so that you can exchange it.</p>`,
      ...{ form: 'rotate', csrf: context.csrf, label: 'Create new secret', cancel: toPath(webhook) },
    });
  },

  forms: {
    async rotate(context) {
      return { page: renderSecret(await rotateWebhookSecret(context, context.params['id'] ?? '')) };
    },
  },
};

export const deleteWebhookPage: SettingsPage = {
  ...shared,
  path: `${webhooksPath}/:id/delete`,
  title: 'Delete webhook',

  async render(context) {
    const webhook = await readWebhookOf(context);
    return confirmation({
      body: html`<p><strong>${webhook.url}</strong> gets no more events. Pending deliveries are dropped. This cannot be undone.</p>`,
      ...{ form: 'delete', csrf: context.csrf, label: 'Delete webhook', cancel: toPath(webhook) },
    });
  },

  forms: {
    async delete(context) {
      const { id, url } = await readWebhookOf(context);
      await deleteWebhook(context, id);
      return { redirect: webhooksPath, notice: `Deleted the webhook ${url}.` };
    },
  },
};

/** The secret, which is shown only on this page. */
function renderSecret(made: CreatedWebhook | RotatedSecret): Html {
  const former =
    'former_secret_until' in made &&
    notice({
      tone: 'neutral',
      body: html`The old secret also signs events until ${time(made.former_secret_until)}.`,
    });
  return html`${shownOnce({ label: 'Signing secret', value: made.secret })}${former}
<section class="card"><p>The receiver checks with it that an event comes from this salon: give it to the program behind the
URL. Signatures follow Standard Webhooks.</p></section>
${actionRow(linkButton({ href: `${webhooksPath}/${made.id}`, label: 'Done', isPrimary: true }))}`;
}
