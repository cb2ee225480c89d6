import { type EventPattern, eventTypes } from '../../../../contract/events.ts';
import { type CreatedWebhook, newWebhook, type RotatedSecret } from '../../../../contract/webhook.ts';
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../../domain/webhooks.ts';
import { actionRow, linkButton, notice, shownOnce, time } from '../../components.ts';
import { field, renderFields, type ValuesOf } from '../../form-fields.ts';
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

const { url, description, events, active } = newWebhook.properties;
const fields = {
  url: field(url, {
    label: 'URL',
    type: 'url',
    inputMode: 'url',
    hint: 'Where events are sent: an https address that the internet can reach.',
  }),
  description: field(description, { label: 'Description', isOptional: true }),
  // An API client may have chosen others than those that are offered.
  events: field(events, {
    label: 'Events',
    choices: Object.fromEntries(offered.map((value) => [value, { label: describePattern(value) }])),
    isTwoColumns: true,
  }),
  active: field(active, { label: 'Send events', hint: 'If this is off, the webhook receives no events.' }),
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
    const values = { url: '', events: [...events.default], description: null, active: active.default };
    const shown = { name: 'create', label: 'Add webhook', cancel: webhooksPath, values, refused };
    return renderWebhookForm(context, shown);
  },

  forms: {
    create: onForm(fields, async (context: PageContext, values) =>
      renderSecret(await createWebhook(context, values)),
    ),
  },
};

export const editWebhookPage: WebPage = {
  async render(context, refused) {
    const values = await readWebhookOf(context);
    const shown = { name: 'edit', label: 'Save', cancel: toPath(values), values, refused };
    return renderWebhookForm(context, shown);
  },

  forms: {
    edit: onForm(fields, async (context: PageContext, change) => {
      const webhook = await readWebhookOf(context);
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
