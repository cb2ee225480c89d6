import type { BodyOf } from '../../../../contract/endpoints.ts';
import { type EventPattern, eventTypes, isEventPattern } from '../../../../contract/events.ts';
import type { Webhook } from '../../../../contract/webhook.ts';
import { actionRow, linkButton } from '../../components.ts';
import {
  button,
  checkbox,
  choiceField,
  errorSummary,
  type FieldErrors,
  form,
  textField,
} from '../../form-fields.ts';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../page-context.ts';

export const webhooksPath = '/settings/webhooks';

export const webhookFields = ['url', 'events', 'description', 'active'] as const;

type WebhookFields = Pick<Webhook, (typeof webhookFields)[number]>;

const families: readonly (readonly [EventPattern, string])[] = [
  ['*', 'Everything'],
  ['booking.*', 'All booking events'],
  ['payment.*', 'All payment events'],
  ['client.*', 'All client events'],
];

interface WebhookForm {
  /** The handler in the page's forms. */
  readonly name: string;
  /** What the button does. */
  readonly label: string;
  readonly values: WebhookFields;
  readonly errors?: FieldErrors | undefined;
  readonly cancel: string;
}

export function renderWebhookForm({ csrf }: PageContext, webhook: WebhookForm): Html {
  const { name, label, values, errors, cancel } = webhook;
  const offered = [...families.map(([pattern]) => pattern), ...eventTypes.filter(isOffered)];
  // An API client may have chosen others.
  const patterns = new Set([...offered, ...values.events]);
  const fields = [
    textField({
      ...{ label: 'URL', name: 'url', type: 'url', inputMode: 'url', value: values.url, errors },
      hint: 'Where events are sent: an https address that the internet can reach.',
    }),
    textField({
      ...{ label: 'Description', name: 'description', value: values.description, errors },
      ...{ isOptional: true, maxLength: 200 },
    }),
    choiceField({
      ...{ label: 'Events', name: 'events', isMultiple: true, isTwoColumns: true, errors },
      choices: [...patterns].map((value) => ({
        ...{ value, label: describePattern(value), isChosen: values.events.includes(value) },
      })),
    }),
    checkbox({
      ...{ label: 'Send events', name: 'active', isChosen: values.active },
      hint: 'If this is off, the webhook receives no events.',
    }),
  ];
  const actions = html`${button({ label, kind: 'primary' })}${linkButton({ href: cancel, label: 'Cancel' })}`;
  const body = html`${fields}${actionRow(actions)}`;
  return html`${errorSummary(errors)}<section class="card">${form({ name, csrf, body })}</section>`;
}

/** What a pattern selects, in words. */
export function describePattern(pattern: EventPattern): string {
  return families.find(([known]) => known === pattern)?.[1] ?? pattern;
}

/** Tests are sent to a webhook whatever it asks for. */
function isOffered(type: string): boolean {
  return type !== 'webhook.test';
}

/** What a form sends, for the domain and to show it again. */
export function readWebhookForm(
  sent: URLSearchParams,
): WebhookFields & Required<Pick<BodyOf<'updateWebhook'>, 'url'>> {
  return {
    url: (sent.get('url') ?? '').trim(),
    events: sent.getAll('events').filter(isEventPattern),
    description: (sent.get('description') ?? '').trim() || null,
    active: sent.get('active') === 'on',
  };
}

/** What a page must check itself: the schema of the API does it there. */
export function findFormErrors({ url, events, description }: WebhookFields): FieldErrors | undefined {
  const errors: Record<string, string> = {};
  if (url === '') errors['url'] = 'Enter a URL.';
  else if (url.length > 2048) errors['url'] = 'Use at most 2,048 characters.';
  if (events.length === 0) errors['events'] = 'Choose at least one event.';
  if ((description ?? '').length > 200) {
    errors['description'] = 'Use at most 200 characters.';
  }
  return Object.keys(errors).length === 0 ? undefined : errors;
}
