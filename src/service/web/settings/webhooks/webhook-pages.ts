import type { Delivery, DeliveryStatus } from '../../../../contract/delivery.ts';
import type { EventPattern } from '../../../../contract/events.ts';
import { maxWebhooks, type Webhook } from '../../../../contract/webhook.ts';
import { listRecentDeliveries, redeliver, redeliverSome, testWebhook } from '../../../domain/deliveries.ts';
import { deliveriesKeptDays } from '../../../domain/limits.ts';
import { getWebhook, listWebhooks } from '../../../domain/webhooks.ts';
import {
  badge,
  code,
  detailList,
  intro,
  linkButton,
  section,
  type Tone,
  table,
  time,
} from '../../components.ts';
import { actionButton } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { mayDo, type PageContext } from '../../visit.ts';
import type { WebPage } from '../../web-page.ts';

export const webhooksPath = '/settings/webhooks';

export const patternFamilies: readonly (readonly [EventPattern, string])[] = [
  ['*', 'Everything'],
  ['booking.*', 'All booking events'],
  ['payment.*', 'All payment events'],
  ['client.*', 'All client events'],
];

/** What a pattern selects, in words. */
export function describePattern(pattern: EventPattern): string {
  return patternFamilies.find(([known]) => known === pattern)?.[1] ?? pattern;
}

/** Settings → Webhooks: where events are sent, and what went wrong last. */
export const webhooksPage: WebPage = {
  async render(context) {
    const { dataJson } = await listWebhooks(context, { per_page: maxWebhooks });
    const webhooks: Webhook[] = JSON.parse(dataJson.toString());
    const rows = await Promise.all(webhooks.map((webhook) => renderRow(context, webhook)));
    const columns = ['URL', 'Events', 'Last failure'];
    const empty = 'No webhooks yet.';
    return html`${intro({
      lead: 'The salon sends bookings, payments and client updates to these addresses as they happen.',
      actions:
        mayChange(context) &&
        linkButton({ href: `${webhooksPath}/new`, label: 'Add webhook', isPrimary: true }),
    })}
${section({ title: 'Webhooks', body: table({ caption: 'Webhooks', columns, actions: 'Manage', rows, empty }) })}`;
  },
};

export function mayChange({ caller }: PageContext): boolean {
  return mayDo(caller.role, 'webhooks.write');
}

async function renderRow(context: PageContext, webhook: Webhook): Promise<readonly (Html | string)[]> {
  const [failed] = await listRecentDeliveries(context, webhook.id, { limit: 1, isFailed: true });
  const { id, url, description, events } = webhook;
  return [
    html`<strong>${url}</strong> ${renderStatus(webhook)}${description !== null && html`<span class="detail">${description}</span>`}`,
    events.map(describePattern).join(', '),
    renderLastFailure(failed),
    linkButton({ href: `${webhooksPath}/${id}`, label: 'Open', isSmall: true, about: url }),
  ];
}

function renderLastFailure(failed: Delivery | undefined): Html {
  const attempt = failed?.attempts.findLast(({ error }) => error !== null);
  if (attempt === undefined) return html`<span class="quiet">None</span>`;
  return html`${time(attempt.at)}<span class="detail">${attempt.error}</span>`;
}

const reasons = {
  gone: 'Disabled: the receiver returned 410',
  exhausted: 'Disabled: no attempts left',
} as const;

export function renderStatus({ active, disabled_reason: reason }: Webhook): Html {
  if (active) return badge('Active', 'good');
  return reason === null ? badge('Disabled') : badge(reasons[reason], 'bad');
}

const shownDeliveries = 25;

/** One webhook with its latest deliveries: test it, send failed deliveries again. */
export const webhookPage: WebPage = {
  async render(context) {
    const webhook = await readWebhookOf(context);
    const isFailed = context.query.get('show') === 'failed';
    const listed = { limit: shownDeliveries, isFailed };
    const deliveries = await listRecentDeliveries(context, webhook.id, listed);
    const path = toPath(webhook);
    const link = (verb: string, label: string) => linkButton({ href: `${path}/${verb}`, label });
    const test = actionButton(context, {
      form: 'test',
      label: 'Send test event',
      kind: 'primary',
    });
    return html`${intro({
      lead: html`${code(webhook.url)} ${renderStatus(webhook)}`,
      actions:
        mayChange(context) &&
        html`${webhook.active && test}${link('edit', 'Edit')}${link('rotate', 'New secret')}${link('delete', 'Delete')}`,
    })}
<section class="card">${renderDetails(webhook)}</section>
${section({
  title: isFailed ? 'Latest failures' : 'Latest deliveries',
  lead: `Deliveries are kept for ${deliveriesKeptDays} days.`,
  actions: html`${
    isFailed
      ? linkButton({ href: path, label: 'Show all', isSmall: true })
      : linkButton({ href: `${path}?show=failed`, label: 'Show failures', isSmall: true })
  }${
    mayChange(context) &&
    webhook.active &&
    actionButton(context, {
      form: 'redeliver-failed',
      label: 'Redeliver all failed',
      isSmall: true,
    })
  }`,
  body: renderDeliveries(context, webhook, deliveries),
})}`;
  },

  forms: {
    async test(context) {
      const webhook = await readWebhookOf(context);
      await testWebhook(context, webhook.id);
      return {
        redirect: toPath(webhook),
        notice: 'Sending a test event. Reload the page to see the result.',
      };
    },

    async redeliver(context, sent) {
      const webhook = await readWebhookOf(context);
      await redeliver(context, sent.get('delivery') ?? '');
      return { redirect: toPath(webhook), notice: 'Sending the delivery again.' };
    },

    async 'redeliver-failed'(context) {
      const webhook = await readWebhookOf(context);
      const range = { status: 'failed', created_from: '2000-01-01' } as const;
      const { redelivered } = await redeliverSome(context, webhook.id, range);
      const number = redelivered === 1 ? '1 delivery is' : `${redelivered} deliveries are`;
      return {
        redirect: toPath(webhook),
        notice: redelivered === 0 ? 'There are no failed deliveries.' : `${number} sent again.`,
      };
    },
  },
};

export function readWebhookOf(context: PageContext): Promise<Webhook> {
  return getWebhook(context, context.params['id'] ?? '');
}

export function toPath({ id }: Webhook): string {
  return `${webhooksPath}/${id}`;
}

function renderDetails({ id, events, description, created_at, updated_at }: Webhook): Html {
  return detailList([
    ['Events', events.map(describePattern).join(', ')],
    ['Description', description ?? html`<span class="quiet">None</span>`],
    ['ID', code(id)],
    ['Created', time(created_at)],
    ['Changed', time(updated_at)],
  ]);
}

const tones: Readonly<Record<DeliveryStatus, Tone>> = {
  pending: 'warning',
  delivered: 'good',
  failed: 'bad',
};

function renderDeliveries(context: PageContext, webhook: Webhook, deliveries: readonly Delivery[]): Html {
  const columns = ['Event', 'Status', 'Last attempt'];
  const rows = deliveries.map((delivery) => [
    html`<strong>${delivery.event_type}</strong><span class="detail">${time(delivery.created_at)}</span>`,
    html`${badge(delivery.status, tones[delivery.status])}${delivery.next_attempt_at !== null && delivery.attempts.length > 0 && html`<span class="detail">Next attempt ${time(delivery.next_attempt_at)}</span>`}`,
    renderLastAttempt(delivery),
    mayChange(context) && webhook.active && delivery.event !== null && renderRedeliver(context, delivery),
  ]);
  const empty = 'No deliveries yet.';
  return table({ caption: 'Deliveries, newest first', columns, actions: 'Redeliver', rows, empty });
}

function renderLastAttempt({ attempts }: Delivery): Html {
  const last = attempts.at(-1);
  if (last === undefined) return html`<span class="quiet">None yet</span>`;
  const result = last.error ?? `HTTP ${last.status_code}`;
  const response =
    last.response !== null &&
    html`<details><summary>Response</summary><p><code><bdi>${last.response}</bdi></code></p></details>`;
  return html`${time(last.at)}<span class="detail">${result} (${last.duration_ms} ms, attempt ${last.number})</span>${response}`;
}

function renderRedeliver(context: PageContext, { id, event_type, created_at }: Delivery): Html {
  return actionButton(context, {
    ...{ form: 'redeliver', fields: { delivery: id }, label: 'Redeliver', isSmall: true },
    about: `${event_type} of ${created_at}`,
  });
}
