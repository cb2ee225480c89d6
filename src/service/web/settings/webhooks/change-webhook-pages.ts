import { type EventPattern, eventTypes, isEventPattern } from '../../../../contract/events.ts';
import type { CreatedWebhook, RotatedSecret } from '../../../../contract/webhook.ts';
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../../domain/webhooks.ts';
import { actionRow, linkButton, notice, shownOnce, time } from '../../components.ts';
import { checkboxesField, checkboxField, renderFields, textField, type ValuesOf } from '../../form-fields.ts';
import { confirmationPage, form, formButtons, onForm } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../visit.ts';
import type { RefusedForm, WebPage } from '../../web-page.ts';

import { describePattern, patternFamilies, readWebhookOf, toPath, webhooksPath } from './webhook-pages.ts';

/** Tests are sent to every webhook. */
const offered: readonly EventPattern[] = [
  ...patternFamilies.map(([pattern]) => pattern),
  ...eventTypes.filter((type: string) => type !== 'webhook.test'),
];

const fields = {
  url: textField({
    label: 'URL',
    type: 'url',
    inputMode: 'url',
    hint: 'Where events are sent: an https address that the internet can reach.',
    missing: 'Enter a URL.',
    maxLength: 2048,
  }),
  description: textField({ label: 'Description', isOptional: true, maxLength: 200 }),
  events: checkboxesField({
    label: 'Events',
    choices: offered.map((value) => ({ value, label: describePattern(value) })),
    // An API client may have chosen others.
    isAccepted: isEventPattern,
    missing: 'Choose at least one event.',
    isTwoColumns: true,
  }),
  active: checkboxField({ label: 'Send events', hint: 'If this is off, the webhook receives no events.' }),
};

interface WebhookForm {
  /** The handler in the page's forms. */
  readonly name: string;
  /** What the button does. */
  readonly label: string;
  readonly values: ValuesOf<typeof fields>;
  readonly cancel: string;
  readonly refused: RefusedForm | undefined;
}

function renderWebhookForm(
  context: PageContext,
  { name, label, values, cancel, refused }: WebhookForm,
): Html {
  const body = html`${renderFields(fields, { values, refused })}${formButtons({ label, cancel })}`;
  return html`<section class="card">${form(context, { name, body })}</section>`;
}

export const newWebhookPage: WebPage = {
  async render(context, refused) {
    const values = { url: '', events: ['*' as const], description: '', active: true };
    const shown = { name: 'create', label: 'Add webhook', cancel: webhooksPath, values, refused };
    return renderWebhookForm(context, shown);
  },

  forms: {
    create: onForm(fields, async (context: PageContext, { description, ...values }) => {
      const created = await createWebhook(context, { ...values, description: description || null });
      return renderSecret(created);
    }),
  },
};

export const editWebhookPage: WebPage = {
  async render(context, refused) {
    const webhook = await readWebhookOf(context);
    const values = { ...webhook, description: webhook.description ?? '' };
    return renderWebhookForm(context, {
      name: 'edit',
      label: 'Save',
      values,
      cancel: toPath(webhook),
      refused,
    });
  },

  forms: {
    edit: onForm(fields, async (context: PageContext, { description, ...values }) => {
      const webhook = await readWebhookOf(context);
      const change = { ...values, description: description || null };
      await updateWebhook(context, webhook.id, { change });
      return { redirect: toPath(webhook), notice: 'Saved the webhook.' };
    }),
  },
};

export const rotateWebhookPage = confirmationPage({
  form: 'rotate',
  read: readWebhookOf,
  ask: (webhook) => ({
    body: html`<p>Events to <strong>${webhook.url}</strong> are signed with a new secret. For 24 hours they are also signed with
the current one, so that you can exchange it.</p>`,
    label: 'Create new secret',
    cancel: toPath(webhook),
  }),
  act: async (context, { id }) => renderSecret(await rotateWebhookSecret(context, id)),
});

export const deleteWebhookPage = confirmationPage({
  form: 'delete',
  read: readWebhookOf,
  ask: (webhook) => ({
    body: html`<p><strong>${webhook.url}</strong> gets no more events. Pending deliveries are dropped. This cannot be undone.</p>`,
    label: 'Delete webhook',
    cancel: toPath(webhook),
  }),
  async act(context, { id, url }) {
    await deleteWebhook(context, id);
    return { redirect: webhooksPath, notice: `Deleted the webhook ${url}.` };
  },
});

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
